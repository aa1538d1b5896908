"""Runs the calls of standard input, all at once, and prints what ran and how each call ended."""
import json
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python"))
from boundcheck.gate import Gate, GateError, NotRun
from boundcheck.gate_adapters import GatedTools

url, key, retries = sys.argv[1:]
gate = Gate(url, key, timeout=3, retries=int(retries))
out = threading.Lock()


def say(**o):
    with out:
        print(json.dumps(o), flush=True)


def work(n, once, wait, fail, ask, call):
    if ask:  # the question about it alone; the key of an adapter begins with the session
        q = GatedTools(gate, call["session"]).question(call["tool"], call["arguments"], once[len(call["session"]) + 1 :])
        say(n=n, end=q.reason if q else "allowed", text=str(q))
        return

    def execute(args, how):
        say(n=n, ran=how.bytes, args=json.dumps(args))
        if fail:
            raise RuntimeError("the tool failed")
        return {"done": n}

    try:
        r = gate.run(call, execute, key=once, wait=wait)
        say(n=n, end="ran", id=r.id, edited=r.edited, reported=r.reported)
    except NotRun as e:
        say(n=n, end=e.reason, id=e.id, text=str(e))
    except GateError as e:
        say(n=n, end="error", text=str(e))
    except (RuntimeError, ValueError) as e:
        say(n=n, end="thrown", text=str(e))


threads = []
for line in sys.stdin:
    call = json.loads(line)
    call.pop("abort", None)
    n, once, wait, fail = (call.pop(name) for name in ("n", "once", "wait", "fail"))
    threads.append(threading.Thread(target=work, args=(n, once, wait, fail, call.pop("ask", False), call)))
    threads[-1].start()
for t in threads:
    t.join()
