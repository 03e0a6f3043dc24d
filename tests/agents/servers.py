"""Small servers for tests of agents: one answers in JSON, one speaks the chat protocol.

They need nothing but the standard library, so that examples are tested without the server's extra.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class JsonHandler(BaseHTTPRequestHandler):
    """Answers in JSON, and says nothing of what it is asked."""

    def reply(self, answer, status=200):
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


class Model:
    """A chat server whose answers ``reply(messages)`` gives; a number is a status."""

    def __init__(self):
        self.reply = lambda messages: "ACTION: 1"
        self.asked = []
        self.headers = []
        model = self

        class Handler(JsonHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.asked.append(body)
                model.headers.append(dict(self.headers) | {"path": self.path})
                answer = model.reply(body["messages"])
                status = answer if isinstance(answer, int) else 200
                if isinstance(answer, str):
                    answer = {
                        "choices": [{"message": {"role": "assistant", "content": answer}}],
                        "usage": {"prompt_tokens": 100, "completion_tokens": 7},
                    }
                self.reply(answer, status)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def spec(self, **settings):
        more = "".join(f"&{key}={value}" for key, value in settings.items())
        return f"llm:http://127.0.0.1:{self.server.server_port}/v1?model=small{more}"
