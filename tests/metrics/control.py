"""The requests of RL-Insight's clients."""
import json
import urllib.error
import urllib.request


def post(url, path, body):
    """Status and answer."""
    request = urllib.request.Request(f"{url}/api/v1/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def register(url, target, **more):
    return post(url, "prometheus/targets", {"targets": [target], **more})


def register_as(url, target, job):
    return register(url, target, job_name=job)
