"""A real server, `EXTRACT_TEST_SERVER`, behind a rate limit, slow lines and proxies."""

import http.client
import json
import os
import re
import signal
import socket
import ssl
import unittest
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from fake_server import FakeServer, Reply, read_request
from public_extract import Client, PlatformError, RateLimitError

TEST = json.loads(Path(os.environ["EXTRACT_TEST_SERVER"]).read_text())
SERVER = urllib.parse.urlsplit(TEST["url"])
NAMES: list[str] = TEST["names"]
KEY: str = TEST["apiKey"]

PassOn = Callable[[socket.socket, bytes], object]


def whole(connection: socket.socket, piece: bytes) -> None:
    connection.sendall(piece)


def ask_server(connection: socket.socket, request: str, pass_on: PassOn = whole) -> None:
    """Forwards a request to the server, and its response to the client."""
    asked = re.sub(r"^(\w+) http://[^/ ]+", r"\1 ", request, count=1)
    with socket.create_connection((SERVER.hostname, SERVER.port or 80)) as server:
        server.sendall(asked.encode())
        while piece := server.recv(65536):
            pass_on(connection, piece)


def relay(pass_on: PassOn = whole) -> Reply:
    return lambda connection, request: ask_server(connection, request, pass_on)


def charges() -> list[str]:
    """Returns the IDs of charged calls, newest first."""
    return [one["id"] for one in Client(TEST["url"], KEY).list_usage().data]


class Limit(unittest.TestCase):
    def test_waits_for_the_end_of_the_minute_after_a_rate_limit(self) -> None:
        key = TEST["limitedKey"]
        connection = http.client.HTTPConnection(SERVER.hostname or "", SERVER.port)
        statuses: list[int] = []
        while 429 not in statuses and len(statuses) < 1_000:
            connection.request("GET", "/v1/account", headers={"Authorization": f"Bearer {key}"})
            response = connection.getresponse()
            response.read()
            statuses.append(response.status)
        connection.close()
        self.assertEqual((len(statuses), statuses[-1]), (601, 429))
        with self.assertRaises(RateLimitError) as raised:
            Client(TEST["url"], key, max_wait=0).get_account()
        refused = raised.exception
        self.assertEqual((refused.code, refused.status), ("rate_limited", 429))
        self.assertGreater(refused.retry_after or 0, 0)

        async def minute(seconds: float) -> None:
            waited.append(seconds)
            os.kill(TEST["pid"], signal.SIGUSR2)

        waited: list[float] = []
        with mock.patch("asyncio.sleep", minute):
            answer = Client(TEST["url"], key).get_shortvideo_profile(username=NAMES[0], demo=True)
        self.assertEqual(answer.data["username"], NAMES[0])
        self.assertTrue(waited and all(0 < seconds <= 60 for seconds in waited), waited)


class Slow(unittest.TestCase):
    def test_reads_an_answer_byte_by_byte(self) -> None:
        def drip(connection: socket.socket, piece: bytes) -> None:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for at in range(len(piece)):
                connection.sendall(piece[at : at + 1])

        asked: dict[str, Any] = {"username": NAMES[0], "demo": True}
        with FakeServer(relay(drip)) as between:
            slow = Client(between.url, KEY).get_shortvideo_profile(**asked)
        self.assertEqual(slow.data, Client(TEST["url"], KEY).get_shortvideo_profile(**asked).data)

    def test_times_out_and_is_charged_once_for_an_endless_answer(self) -> None:
        def stall(connection: socket.socket, piece: bytes) -> None:
            connection.sendall(piece[:-10])
            connection.recv(1)

        before = charges()
        with FakeServer(relay(stall)) as between, self.assertRaises(PlatformError) as raised:
            Client(between.url, KEY, timeout=5).get_shortvideo_profile(username=NAMES[0])
        self.assertEqual((raised.exception.code, len(between.requests)), ("platform_timeout", 1))
        self.assertEqual(len(charges()), len(before) + 1)

    def test_yields_each_line_of_a_job_once_over_broken_connections(self) -> None:
        inputs = [{"username": name, "demo": True} for name in 3 * NAMES]

        def cut(connection: socket.socket, request: str) -> None:
            left = 4_000

            def some(to: socket.socket, piece: bytes) -> None:
                nonlocal left
                to.sendall(piece[:left])
                left -= len(piece)
                if left <= 0:
                    raise BrokenPipeError

            ask_server(connection, request, some)

        job = Client(TEST["url"], KEY).submit("shortvideo/profile", inputs)
        Client(TEST["url"], KEY).wait(job["id"], poll=0.1)
        with FakeServer(cut) as between, mock.patch("asyncio.sleep", new_callable=mock.AsyncMock):
            lines = list(Client(between.url, KEY).results(job["id"]))
        self.assertEqual([line.input for line in lines], inputs)
        self.assertGreater(len(between.requests), 1)


class Proxies(unittest.TestCase):
    def test_reaches_the_server_through_an_http_proxy(self) -> None:
        with FakeServer(relay()) as proxy:
            with mock.patch.dict(os.environ, {"http_proxy": proxy.url, "no_proxy": ""}):
                client = Client("http://extract.test:81", KEY)
                page = client.get_shortvideo_videos(username=NAMES[0], limit=2, demo=True)
                ids = [video["id"] for video in page.items()]
        self.assertGreater(len(ids), 2)
        self.assertEqual(len(set(ids)), len(ids))
        self.assertTrue(all(line.startswith("GET http://extract.test:81/v1/") for line in proxy.lines))

    def test_reaches_an_https_server_through_a_tunnel(self) -> None:
        certificate = os.environ["EXTRACT_TEST_CERTIFICATE"]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)

        def tunnel(connection: socket.socket, _: str) -> None:
            connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            with context.wrap_socket(connection, server_side=True) as secure:
                ask_server(secure, read_request(secure))

        with FakeServer(tunnel) as proxy:
            settings = {"https_proxy": proxy.url, "no_proxy": "", "SSL_CERT_FILE": certificate}
            with mock.patch.dict(os.environ, settings):
                account = Client("https://extract.test", KEY).get_account()
        self.assertEqual(account["email"], TEST["email"])
        self.assertEqual(proxy.lines, ["CONNECT extract.test:443 HTTP/1.1"])


if __name__ == "__main__":
    unittest.main()
