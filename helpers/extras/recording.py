"""Record the live slice of EvolvR's filter with a local judge and its token probabilities, for
replay anywhere.

`python -m helpers.extras.recording [MODEL [PAIRS]]` records with a model that
`helpers.judges.local` serves, PAIRS pairs of stories a stratum (1), into `data/recorded/`.
"""

import json
import sys
import urllib.error
import urllib.request

import numpy as np

from helpers import judges
from helpers.evolvr.filter import make_asker
from helpers.evolvr.live import PARAMS, frame_key, run_slice
from helpers.evolvr.pairs import SCORES
from helpers.judges.labels import parse_yes_no
from helpers.judges.local import SMALLEST, name_of, serving
from helpers.judges.replay import export_answers
from helpers.judges.store import Store
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT


class NoProbabilities(judges.JudgeError):
    """The judge gives no log-probabilities, so its confidence cannot be read."""


def server_probabilities(base_url, timeout=600):
    """Return a function that reads the five score tokens' probabilities from an OpenAI-compatible
    completions endpoint.

    Raises NoProbabilities if the server returns no log-probabilities.
    """

    def probabilities(frames):
        rows = []
        for frame in frames:
            text = (
                "\n\n".join(frame[part] for part in ("system", "shared", "prompt") if frame[part])
                + "\n\n"
                + frame["begun"]
            )
            body = {"prompt": text.rstrip(), "max_tokens": 1, "temperature": 0, "logprobs": 50}
            data = json.dumps(body).encode()
            request = urllib.request.Request(
                f"{base_url}/completions", data, {"content-type": "application/json"}
            )
            try:
                with urllib.request.urlopen(request, timeout=timeout) as reply:
                    rows.append(read_logprobs(json.load(reply)))
            except urllib.error.HTTPError as fault:
                raise NoProbabilities(
                    f"no log-probabilities (HTTP {fault.code}): take a server that gives them"
                ) from None
        return np.array(rows)

    return probabilities


def read_logprobs(reply):
    """Return five probabilities (softmax over the score tokens, evolvr Equation 13) from a
    completions reply."""
    logs = (reply.get("choices") or [{}])[0].get("logprobs") or {}
    if logs.get("content"):  # llama.cpp and newer servers
        top = {
            entry["token"].strip(): entry["logprob"]
            for entry in logs["content"][0].get("top_logprobs", [])
        }
    elif logs.get("top_logprobs"):
        top = {token.strip(): value for token, value in logs["top_logprobs"][0].items()}
    else:
        raise NoProbabilities("the reply holds no log-probabilities: take a server that gives them")
    found = np.array([top.get(str(score), -np.inf) for score in SCORES])
    if np.isinf(found).all():
        return np.full(5, 0.2)
    weight = np.exp(found - found.max())
    return weight / weight.sum()


def keep_probabilities(probabilities, kept):
    """Return `probabilities` that also notes each answer in the dict `kept`, by the key of its
    frame."""

    def noted(frames):
        values = probabilities(frames)
        kept.update(
            {
                frame_key(frame): [round(float(v), 6) for v in row]
                for frame, row in zip(frames, values)
            }
        )
        return values

    return noted


def record(
    base_url,
    model=SMALLEST,
    folder=ROOT / "data" / "recorded",
    transcripts=None,
    per_stratum=1,
    concurrency=1,
):
    """Run the slice live, write its answers and probabilities to `folder`, return its attrition."""
    kept, name = {}, f"{name_of(model)}-evolvr"
    transcripts = transcripts or ROOT / "outputs" / "local" / f"{name}.sqlite"

    # a model that would never come to its label by itself is made to
    def ask(requests, parse):
        ending = "verdict" if parse is parse_yes_no else "scores"
        options = judges.Options(
            transcripts=transcripts, concurrency=concurrency, max_output_tokens=300, params=PARAMS
        )
        return make_asker(f"local/{name_of(model)}+{ending}", options)(requests, parse)

    attrition = run_slice(
        ask, keep_probabilities(server_probabilities(base_url), kept), per_stratum=per_stratum
    )[-1]
    with Store(transcripts) as store:
        export_answers(store, folder / f"{name}.jsonl")
    replace_file(
        folder / f"{name}-confidence.json", json.dumps(kept, indent=0, sort_keys=True) + "\n"
    )
    return attrition


def main():
    """Serve a local model, record the slice, print its attrition."""
    model, pairs = [*sys.argv[1:], *(SMALLEST, 1)[len(sys.argv[1:]) :]]
    with serving(model) as base_url:
        print(record(base_url, model, per_stratum=int(pairs)).to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
