"""A loopback server that answers as the providers do: `python tests/fault_server.py` prints its
port; for one test with a real connection, and for the benchmark."""

import argparse
import asyncio

import httpx2
from judges_kit import Provider


async def serve(reader, writer, provider):
    """Answer the requests of one connection."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            first, *lines = head.decode("latin1").strip().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines)
            headers = {name.lower(): value for name, value in headers.items()}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            url = f"http://{provider.host}{first.split(' ')[1]}"
            reply = await provider(httpx2.Request("POST", url, headers=headers, content=body))
            data = await reply.aread()
            line = f"HTTP/1.1 {reply.status_code} X\r\ncontent-length: {len(data)}\r\n\r\n"
            writer.write(line.encode() + data)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main(tell, provider=None):
    """Serve until a certain event; `tell` hears (port, event)."""
    provider, stop = provider or Provider(latency=0.01), asyncio.Event()
    provider.host = "server"  # any but this machine's, which means local/
    server = await asyncio.start_server(
        lambda reader, writer: serve(reader, writer, provider), "127.0.0.1", 0, limit=2**24
    )
    tell((server.sockets[0].getsockname()[1], stop))
    await stop.wait()
    server.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.01, help="seconds per request")
    given = Provider(latency=parser.parse_args().latency)
    asyncio.run(main(lambda told: print(told[0], flush=True), given))
