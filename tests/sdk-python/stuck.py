"""A process in which much is stuck, each thing in a session of its own. Arguments: the address of the server, the run."""
import asyncio
import concurrent.futures
import os
import socket
import sys
import threading
import time
import urllib.request

import rollscope as rs


def usual(stages):
    """What these stages usually take: next to nothing."""
    with rs.session("usual"):
        for stage in stages:
            for _ in range(25):
                with rs.phase(stage):
                    pass


def ask_tool(url, secret):
    return urllib.request.urlopen(url, data=secret.encode())


def call_tool(secret):
    """Of a server that takes connections and says nothing."""
    silent = socket.create_server(("127.0.0.1", 0))
    with rs.session("thread"), rs.phase("tool"):
        ask_tool("http://127.0.0.1:%d/" % silent.getsockname()[1], secret)


async def ask_model(never):
    return await never


async def solve(name, never):
    with rs.session(name), rs.phase("generate"):
        await middle(never)


async def middle(never):
    await ask_model(never)


def judge_all():
    threading.Event().wait()


async def judge(name, run):
    with rs.session(name), rs.phase("judge"):
        await run(judge_all)


async def many(name):
    with rs.session(name), rs.phase("many"):
        await asyncio.wait_for(asyncio.gather(one_of_many(), one_of_many()), 1000)


async def one_of_many():
    await asyncio.Event().wait()


def samples():
    with rs.phase("samples"):
        yield next_sample()


def next_sample():
    time.sleep(1000)


def generator():
    with rs.session("generator"):
        for _ in samples():
            pass


def submit(pool):
    with rs.session("pool"), rs.phase("pool"):
        pool.submit(judge_all).result()


async def asynchronous():
    loop = asyncio.get_running_loop()
    pool = concurrent.futures.ThreadPoolExecutor()
    never = loop.create_future()
    await asyncio.gather(
        solve("task", never),
        judge("to_thread", asyncio.to_thread),
        judge("executor", lambda work: loop.run_in_executor(pool, work)),
        many("many"),
    )


def main(url, run):
    rs.init(run, url=url, role="rollout", rank=3)
    usual(["tool", "generate", "judge", "many", "samples", "pool"])
    threads = [
        threading.Thread(target=call_tool, args=("hunter2",)),
        threading.Thread(target=asyncio.run, args=(asynchronous(),)),
        threading.Thread(target=generator),
        threading.Thread(target=submit, args=(rs.ContextThreadPool(),)),
    ]
    for thread in threads:
        thread.daemon = True
        thread.start()
    print("stuck", flush=True)
    sys.stdin.read()
    rs.close()
    os._exit(0)  # Python would wait for the threads of executors, which never end


if __name__ == "__main__":
    main(*sys.argv[1:])
