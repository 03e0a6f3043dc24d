"""What the tests say to a server."""

from __future__ import annotations

PREFIX = "/api/v1"
BOT, HUMAN, OPEN = {"kind": "bot", "bot": "random"}, {"kind": "human"}, {"kind": "open"}


def human(name):
    return {"kind": "human", "name": name}


class Client:
    """The endpoints by name. ``http`` is anything with httpx's ``request``."""

    def __init__(self, http):
        self.http = http

    def call(self, method, path, body=None, token=None, status=200, **query):
        headers = {"authorization": f"Bearer {token}"} if token else {}
        answer = self.http.request(method, PREFIX + path, json=body, headers=headers, params=query)
        assert answer.status_code == status, (answer.status_code, answer.text[:2000])
        data = answer.json()
        assert path == "/schema" or data["protocol"] == "gangland/1"
        return data

    def get(self, path, token=None, status=200, **query):
        return self.call("GET", path, None, token, status, **query)

    def post(self, path, body=None, token=None, status=200, **query):
        return self.call("POST", path, body, token, status, **query)

    def create(self, game, seats, status=201, **more):
        """``(match, tokens by seat)``, or the error."""
        made = self.post("/matches", {"game": game, "seats": seats, **more}, status=status)
        if status != 201:
            return made
        return made["match"], {token["seat"]: token["token"] for token in made["tokens"]}

    def view(self, match, token=None, status=200, **query):
        return self.get(f"/matches/{match}/view", token, status, **{"svg": False, **query})

    def asked(self, match, token, **query):
        """The view once its seat is to decide, or the match is finished."""
        view = self.view(match, token, **query)
        for _ in range(200):
            if view["decision"] is not None or view["status"] == "finished":
                return view
            view = self.view(match, token, after=view["version"], wait=1, **query)
        raise AssertionError("never asked")

    def act(self, match, token, decision, action, status=200, **query):
        body = {"decision": decision, "action": action}
        return self.post(
            f"/matches/{match}/actions", body, token, status, **{"svg": False, **query}
        )

    def play_out(self, match, tokens, choose=lambda view: view["legal"][-1]["id"], limit=5000):
        """Play every person's seat until the end; returns the last views by seat."""
        views = {seat: self.view(match, token) for seat, token in tokens.items()}
        for _ in range(limit):
            ready = [s for s, v in views.items() if v["decision"] is not None]
            if all(view["status"] == "finished" for view in views.values()):
                return views
            for seat in ready:
                view = views[seat]
                self.act(match, tokens[seat], view["decision"], choose(view))
            for seat, token in tokens.items():
                views[seat] = self.view(match, token, after=views[seat]["version"], wait=0.2)
        raise AssertionError("the match does not end")


def default_seats(client, game, kinds):
    """Seats for the game's default table: ``kinds`` first, bots in the others."""
    info = client.get(f"/games/{game}")
    players = next(o for o in info["options"] if o["name"] in ("players", "gangs"))["default"]
    count = max(len(kinds), players)
    count = min(max(count, info["min_players"]), info["max_players"])
    return [*kinds, *[BOT] * (count - len(kinds))]
