"""A loopback server that answers as the providers do: `python tests/fault_server.py` prints its
port. For tests with a real connection, and for the benchmark.

It speaks just enough HTTP/1.1 to hand each request to a `judges_kit.Provider`, so that a test says
what goes wrong in the same way with a network as without one.
"""

import argparse
import asyncio

import httpx2
from judges_kit import Provider


async def serve(reader, writer, provider):
    """Answer the requests of one connection."""
    try:
        while request := await read_request(reader, provider.host):
            reply = await provider(request)
            data = await reply.aread()
            head = f"HTTP/1.1 {reply.status_code} X\r\ncontent-length: {len(data)}\r\n\r\n"
            writer.write(head.encode() + data)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):  # the client has gone
        pass
    finally:
        writer.close()


async def read_request(reader, host):
    """Return the next request of a connection."""
    head = await reader.readuntil(b"\r\n\r\n")
    first_line, *lines = head.decode("latin1").strip().split("\r\n")
    headers = {}
    for line in lines:
        name, value = line.split(": ", 1)
        headers[name.lower()] = value
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    path = first_line.split(" ")[1]
    return httpx2.Request("POST", f"http://{host}{path}", headers=headers, content=body)


async def main(tell, provider=None):
    """Serve until a certain event; `tell` hears (port, event)."""
    provider = provider or Provider(latency=0.01)
    provider.host = "server"  # any but this machine's, which means local/
    stop = asyncio.Event()
    server = await asyncio.start_server(
        lambda reader, writer: serve(reader, writer, provider), "127.0.0.1", 0, limit=2**24
    )
    port = server.sockets[0].getsockname()[1]
    tell((port, stop))
    await stop.wait()
    server.close()


def print_port(port_and_stop):
    """Print the port of a server that has started."""
    port, _ = port_and_stop
    print(port, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.01, help="seconds per request")
    arguments = parser.parse_args()
    asyncio.run(main(print_port, Provider(latency=arguments.latency)))
