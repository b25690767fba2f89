"""A toy GRPO loop: eight answers to each question, a judge, a policy that learns, and all of it on Rollscope's page.

    python train.py                                  # works, records nothing
    ROLLSCOPE_URL=127.0.0.1:4318 python train.py     # sends to a server
    ROLLSCOPE_VIEWER=1 python train.py               # starts one
"""
import argparse
import asyncio
import math
import random
import statistics

import rollscope as rs

GROUP = 8  # answers to one question; GRPO compares them with each other
QUESTIONS = 4  # per batch
TURNS = 3  # calls of a tool that an answer may need

reward_gauge = rs.gauge("reward", description="mean over a batch")
tokens = rs.counter("tokens", description="generated")
answer_length = rs.histogram("answer_length", unit="tokens")


class Policy:
    """Knows how to add: the better it is, the smaller its error. Generation takes time, and some answers take very long."""

    def __init__(self, seed):
        self.skill = 0.0
        self.version = 0
        self.random = random.Random(seed)

    async def generate(self, question, notes):
        length = int(self.random.lognormvariate(3, 0.7))
        await asyncio.sleep(length / 5000)
        if len(notes) < TURNS and self.random.random() < 0.4:
            return f"TOOL {question}", length
        return str(sum(question) + round(self.random.gauss(0, 3 * math.exp(-self.skill)))), length

    def learn(self, advantages):
        self.skill += sum(abs(advantage) for advantage in advantages) / len(advantages)
        self.version += 1


@rs.trace("calculator", attributes=lambda expression: {"length": len(expression)})
async def calculator(expression):
    """A tool, which is down now and then."""
    await asyncio.sleep(0.002)
    if random.random() < 0.05:
        raise ConnectionError("calculator: HTTP 503")
    return "about right"


@rs.trace("judge")
async def judge(question, answer):
    await asyncio.sleep(0.001)
    return 1.0 / (1 + abs(int(answer) - sum(question)))


async def rollout(policy, question, slots):
    """One answer: a session with its phases. Returns it with its reward, or None if a tool failed."""
    async with rs.session() as session:
        notes = []
        with rs.phase("wait_for_slot"):
            await slots.acquire()
        try:
            while True:
                with rs.phase("generate", worker="engine:0", model_version=policy.version) as phase:
                    text, length = await policy.generate(question, notes)
                    phase.tokens(output=length)
                tokens.add(length)
                answer_length.record(length)
                if not text.startswith("TOOL "):
                    break
                notes.append(await calculator(text[5:]))
                session.count("tool_calls")
            reward = await judge(question, text)
            session.reward(reward)
            return session, reward
        except ConnectionError as error:
            session.failed(error)
            return session, None
        finally:
            slots.release()


async def group(policy, number, question, slots):
    """All answers to one question, with their advantages over the group's mean."""
    with rs.task(f"add-{number}", "addition"):
        answers = await asyncio.gather(*(rollout(policy, question, slots) for _ in range(GROUP)))
    rewards = [reward for _, reward in answers if reward is not None]
    mean = statistics.fmean(rewards) if rewards else 0.0
    if len(set(rewards)) < 2:
        for session, reward in answers:
            if reward is not None:
                session.rejected("all rewards are equal: nothing to learn")
        return mean, []
    for session, reward in answers:
        if reward is not None:
            session.accepted()
    return mean, [reward - mean for reward in rewards]


async def train(steps, seed):
    policy, chance, slots = Policy(seed), random.Random(seed), asyncio.Semaphore(12)
    for step in range(steps):
        with rs.batch(train_step=step, model_step=policy.version):
            questions = [(chance.randrange(100), chance.randrange(100)) for _ in range(QUESTIONS)]
            with rs.state("rollout", lane="trainer"):
                results = await asyncio.gather(*(group(policy, step * QUESTIONS + n, q, slots) for n, q in enumerate(questions)))
            mean = statistics.fmean(mean for mean, _ in results)
            reward_gauge.set(mean)
            advantages = [advantage for _, group_advantages in results for advantage in group_advantages]
            if advantages:
                with rs.state("update", lane="trainer"), rs.phase("update", samples=len(advantages)):
                    await asyncio.sleep(0.01)
                    policy.learn(advantages)
        print(f"step {step}: reward {mean:.2f}, {len(advantages)} answers used")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="A toy GRPO loop that shows itself in Rollscope.")
    options.add_argument("--steps", type=int, default=20)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    random.seed(chosen.seed)
    rs.init(run="toy-grpo", project="examples")  # where to: ROLLSCOPE_URL, ROLLSCOPE_SPOOL or ROLLSCOPE_VIEWER
    asyncio.run(train(chosen.steps, chosen.seed))
