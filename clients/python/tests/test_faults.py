"""Faults between client and server: a server that dies, a limit, a slow body, a proxy."""

import asyncio
import json
import os
import socket
import ssl
import time
import unittest
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import public_extract
from fake_server import FakeServer, Reply, answer, chunks, error, read_request, response
from public_extract import AsyncClient, Client, InternalError, NotFoundError, PlatformError, RateLimitError

PROFILE = {"username": "mira.kettle"}


def without_waits() -> "mock._patch[mock.AsyncMock]":
    """Records the client's waits instead of waiting."""
    return mock.patch("asyncio.sleep", new_callable=mock.AsyncMock)


def line(number: int) -> bytes:
    return json.dumps({"input": {"username": str(number)}, "data": {"number": number}}).encode() + b"\n"


def until(happened: Callable[[], object]) -> None:
    """Waits for another thread, a few seconds at most."""
    for _ in range(500):
        if happened():
            return
        time.sleep(0.01)


class Calls(unittest.TestCase):
    def test_sends_key_and_query_encoded(self) -> None:
        with FakeServer(answer(PROFILE)) as server:
            client = Client(server.url, "xt_live_key")
            self.assertEqual(client.search_shortvideo_videos(query="née & co", limit=5).data, PROFILE)
        self.assertEqual(server.lines, ["GET /v1/shortvideo/search?query=n%C3%A9e+%26+co&limit=5 HTTP/1.1"])
        self.assertIn("\r\nAuthorization: Bearer xt_live_key\r\n", server.requests[0])
        self.assertIn(f"\r\nHost: 127.0.0.1:{server.port}\r\n", server.requests[0])

    def test_sends_numbers_without_exponent(self) -> None:
        with FakeServer(answer([])) as server:
            Client(server.url).search_places(query="pier", lat=51.0, lng=-0.00004, radius_m=500)
        self.assertEqual(
            server.lines, ["GET /v1/maps/places?query=pier&lat=51.0&lng=-0.00004&radius_m=500 HTTP/1.1"]
        )

    def test_waits_as_long_as_a_rate_limit_says(self) -> None:
        limited = error(429, "rate_limited", {"Retry-After": "7"})
        with FakeServer(limited, limited, answer(PROFILE)) as server, without_waits() as sleep:
            self.assertEqual(Client(server.url).get_shortvideo_profile(username="mira.kettle").data, PROFILE)
        self.assertEqual([call.args for call in sleep.await_args_list], [(7,), (7,)])

    def test_waits_for_rate_limits_three_minutes_in_total(self) -> None:
        limited = error(429, "rate_limited", {"Retry-After": "100"})
        with FakeServer(limited) as server, without_waits() as sleep:
            with self.assertRaises(RateLimitError) as raised:
                Client(server.url).get_shortvideo_profile(username="mira.kettle")
        self.assertEqual((raised.exception.retry_after, len(server.requests)), (100, 2))
        self.assertEqual(sleep.await_count, 1)
        self.assertTrue(raised.exception.retryable)

    def test_reads_dates_in_retry_after(self) -> None:
        when = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))
        with FakeServer(error(502, "platform_blocked", {"Retry-After": when})) as server:
            with self.assertRaises(PlatformError) as raised:
                Client(server.url).get_shortvideo_profile(username="mira.kettle")
        self.assertAlmostEqual(raised.exception.retry_after or 0, 60, delta=3)

    def test_raises_the_class_of_the_error_type(self) -> None:
        with FakeServer(error(404, "profile_not_found")) as server:
            with self.assertRaises(NotFoundError) as raised:
                Client(server.url).get_shortvideo_profile(username="mira.kettle")
        found = raised.exception
        self.assertEqual((found.code, found.type, found.status), ("profile_not_found", "not_found", 404))
        self.assertEqual((found.message, found.request_id, str(found)), ("No.", "req_2", "profile_not_found: No."))
        with FakeServer(error(400, "of_a_later_version")) as server:
            with self.assertRaisesRegex(InternalError, "of_a_later_version: No."):
                Client(server.url).get_shortvideo_profile(username="mira.kettle")

    def test_does_not_repeat_a_call_that_may_have_been_charged(self) -> None:
        broken = response(200, b"{}")[:-1]
        for reply in (b"", b"HTTP/1.1 200", broken, b"SSH-2.0-x\r\n\r\n", response(302, b"", {"Location": "/"})):
            with FakeServer(reply) as server, without_waits():
                with self.assertRaises(PlatformError) as raised:
                    Client(server.url).get_shortvideo_profile(username="mira.kettle")
                self.assertEqual((raised.exception.code, len(server.requests)), ("platform_unavailable", 1))

    def test_repeats_a_demo_call_because_it_is_free(self) -> None:
        with FakeServer(b"", b"", answer(PROFILE)) as server, without_waits() as sleep:
            Client(server.url).get_shortvideo_profile(username="mira.kettle", demo=True)
        self.assertEqual([call.args for call in sleep.await_args_list], [(0.5,), (1.0,)])

    def test_tries_three_times_to_connect(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        with without_waits() as sleep, self.assertRaisesRegex(PlatformError, "could not be reached"):
            Client(f"http://127.0.0.1:{port}").get_shortvideo_profile(username="mira.kettle")
        self.assertEqual(sleep.await_count, 2)

    def test_times_out_during_a_slow_body(self) -> None:
        ended: list[bytes] = []

        def slowly(connection: socket.socket, _: str) -> None:
            connection.sendall(answer(PROFILE)[:-10])
            ended.append(connection.recv(1))

        with FakeServer(slowly) as server:
            with self.assertRaises(PlatformError) as raised:
                Client(server.url, timeout=0.1).get_shortvideo_profile(username="mira.kettle")
            self.assertEqual((raised.exception.code, len(server.requests)), ("platform_timeout", 1))
            until(lambda: ended)
        self.assertEqual(ended, [b""], "the connection is closed")

    def test_reads_a_body_byte_by_byte(self) -> None:
        whole = answer(PROFILE)

        def dripping(connection: socket.socket, _: str) -> None:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for at in range(len(whole)):
                connection.sendall(whole[at : at + 1])

        with FakeServer(dripping) as server:
            self.assertEqual(Client(server.url).get_shortvideo_profile(username="mira.kettle").data, PROFILE)

    def test_closes_the_connection_of_a_cancelled_call(self) -> None:
        left: list[bytes] = []

        async def give_up(url: str) -> None:
            call = asyncio.create_task(public_extract.AsyncClient(url).get_shortvideo_profile(username="mira.kettle"))
            await asyncio.to_thread(until, lambda: server.requests)
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call

        with FakeServer(lambda connection, _: left.append(connection.recv(1))) as server:
            asyncio.run(give_up(server.url))
            until(lambda: left)
        self.assertEqual(left, [b""])

    def test_refuses_values_that_cannot_be_sent(self) -> None:
        for address in ("extract.test", "ftp://extract.test", "http://a:b@extract.test", "http://x.test?a=1", ""):
            with self.assertRaises(public_extract.InvalidRequestError):
                Client(address)
        with self.assertRaises(public_extract.InvalidRequestError) as raised:
            Client("http://extract.test", "a key\r\nof two lines")
        self.assertNotIn("two", str(raised.exception))
        with FakeServer(response(202, {"data": {"id": "job_1"}, "meta": {}})) as server:
            client = Client(server.url)
            # A table has NaN for an unknown value.
            for value in (float("nan"), {1}, b"x"):
                with self.assertRaisesRegex(public_extract.InvalidRequestError, "leave out"):
                    client.submit("maps/place", [{"place_id": "a", "language": value}])
                with self.assertRaises(public_extract.InvalidRequestError):
                    list(client.batch("maps/place", [{"place_id": value}]))[0].result()
            [half] = client.batch("shortvideo/search", [{"query": "ca\ud83d"}])
            self.assertIsInstance(half.error, public_extract.InvalidRequestError)
            for key in ("Weekly \u2013 1", "a\r\nX-Evil: b"):
                with self.assertRaisesRegex(public_extract.InvalidRequestError, "idempotency_key"):
                    client.submit("maps/place", [{"place_id": "a"}], idempotency_key=key)
            self.assertEqual(server.requests, [])


class Streams(unittest.TestCase):
    def test_continues_after_the_last_complete_line(self) -> None:
        died = chunks([line(0), line(1), line(2)[:9]], ends=False)
        with FakeServer(died, b"", chunks([line(2) + line(3)])) as server, without_waits():
            numbers = [one.result()["number"] for one in Client(server.url).results("job_1")]
        self.assertEqual(numbers, [0, 1, 2, 3])
        paths = [first.split(" ")[1] for first in server.lines]
        head = "/v1/jobs/job_1/results?wait=true"
        self.assertEqual(paths, [head, f"{head}&from=2", f"{head}&from=2"])

    def test_gives_up_after_eight_attempts_without_a_line(self) -> None:
        with FakeServer(chunks([line(0)], ends=False), b"") as server, without_waits():
            with self.assertRaises(PlatformError):
                list(Client(server.url).results("job_1"))
        self.assertEqual(len(server.requests), 8)

    def test_follows_a_job_that_is_silent_for_longer_than_proxies_wait(self) -> None:
        cut = chunks([], ends=False)
        minutes = (60.0 * number for number in range(1_000))
        with FakeServer(*[cut] * 20, chunks([line(0)])) as server, without_waits():
            with mock.patch("public_extract.jobs.monotonic", lambda: next(minutes)):
                [one] = Client(server.url).results("job_1")
        self.assertEqual((one.result()["number"], len(server.requests)), (0, 21))

    def test_waits_for_a_job_while_its_server_restarts(self) -> None:
        running, done = ({"id": "job_1", "status": status} for status in ("running", "done"))
        away: list[Reply] = [b"", error(502, "platform_unavailable"), response(503, b"starting")]
        with FakeServer(answer(running), *3 * away, answer(done)) as server, without_waits():
            self.assertEqual(Client(server.url).wait("job_1")["status"], "done")
        with FakeServer(answer(running), b"") as server, without_waits():
            with self.assertRaises(PlatformError):
                Client(server.url).wait("job_1")
        with FakeServer(answer(running), error(404, "job_not_found")) as server, without_waits():
            with self.assertRaises(NotFoundError):
                Client(server.url).wait("job_1")
        self.assertEqual(len(server.requests), 2)

    def test_error_lines_have_the_class_of_their_type(self) -> None:
        said = {"type": "not_found", "code": "profile_not_found", "message": "No.", "docs": "d", "request_id": "r"}
        sent = json.dumps({"input": PROFILE, "error": said}).encode() + b"\n"
        with FakeServer(chunks([sent])) as server:
            [one] = Client(server.url).results("job_1")
        self.assertIsInstance(one.error, NotFoundError)
        with self.assertRaises(NotFoundError):
            one.result()

    def test_leaving_the_loop_closes_the_connection(self) -> None:
        left: list[bytes] = []

        def endless(connection: socket.socket, _: str) -> None:
            connection.sendall(chunks([line(0)], ends=False))
            left.append(connection.recv(1))

        with FakeServer(endless) as server:
            for _ in Client(server.url).results("job_1"):
                break
            until(lambda: left)
        self.assertEqual(left, [b""])

    def test_retries_a_submission_with_the_same_idempotency_key(self) -> None:
        with FakeServer(b"", response(202, {"data": {"id": "job_1"}, "meta": {}})) as server, without_waits():
            job = Client(server.url, "xt_live_key").submit("shortvideo/profile", [PROFILE], name="one")
        self.assertEqual(job["id"], "job_1")
        keys = [
            [field for field in request.split("\r\n") if field.startswith("Idempotency-Key: ")]
            for request in server.requests
        ]
        self.assertEqual((len(keys), keys[0]), (2, keys[1]))
        sent = json.loads(server.requests[0].split("\r\n\r\n")[1])
        self.assertEqual(sent, {"endpoint": "shortvideo/profile", "inputs": [PROFILE], "name": "one"})

    def test_sends_every_option_of_a_schedule(self) -> None:
        chosen: dict[str, Any] = {
            "schedule": "monday 08:00",
            "timezone": "Europe/Berlin",
            "when": "follower_count > 10",
            "new": True,
            "history": True,
            "notify": ["ada@example.com"],
        }
        made = response(202, {"data": {"id": "job_1"}, "meta": {}})
        with FakeServer(made, made) as server:
            Client(server.url, "xt_live_key").submit("shortvideo/profile", [PROFILE], **chosen)
            asyncio.run(AsyncClient(server.url, "xt_live_key").submit("shortvideo/profile", [PROFILE], **chosen))
        sent = [json.loads(request.split("\r\n\r\n")[1]) for request in server.requests]
        self.assertEqual(sent, 2 * [{"endpoint": "shortvideo/profile", "inputs": [PROFILE], **chosen}])


class Batches(unittest.TestCase):
    def test_keeps_the_order_and_reads_inputs_as_needed(self) -> None:
        taken: list[int] = []

        def inputs() -> Iterator[dict[str, str]]:
            for number in range(6):
                taken.append(number)
                yield {"username": str(number)}

        def echo(connection: socket.socket, request: str) -> None:
            number = int(request.split("username=")[1].split(" ")[0])
            time.sleep(0.02 * (6 - number))
            connection.sendall(answer({"number": number}))

        with FakeServer(echo) as server:
            lines = Client(server.url).batch("shortvideo/profile", inputs(), concurrency=3)
            first = next(lines)
            self.assertEqual((first.input, first.data, taken), ({"username": "0"}, {"number": 0}, [0, 1, 2]))
            self.assertEqual([one.input["username"] for one in lines], ["1", "2", "3", "4", "5"])

    def test_waits_for_a_refusal_with_retry_after(self) -> None:
        refused = error(502, "platform_blocked", {"Retry-After": "30"})
        with FakeServer(refused, answer(PROFILE)) as server, without_waits() as sleep:
            [one] = Client(server.url).batch("shortvideo/profile", [PROFILE])
        self.assertEqual((one.data, sleep.await_args_list[0].args), (PROFILE, (30,)))

    def test_stops_at_a_missing_key(self) -> None:
        with FakeServer(error(401, "missing_api_key")) as server:
            with self.assertRaises(public_extract.AuthenticationError):
                list(Client(server.url).batch("shortvideo/profile", [PROFILE] * 3))


class Proxies(unittest.TestCase):
    def test_sends_the_full_url_to_an_http_proxy(self) -> None:
        with FakeServer(answer(PROFILE)) as proxy:
            address = f"http://user:p%40ss@127.0.0.1:{proxy.port}"
            with mock.patch.dict(os.environ, {"http_proxy": address, "no_proxy": ""}):
                Client("http://extract.test:81").get_shortvideo_profile(username="mira.kettle")
        self.assertIn("GET http://extract.test:81/v1/shortvideo/profile?username=mira.kettle ", proxy.lines[0])
        self.assertIn("\r\nProxy-Authorization: Basic dXNlcjpwQHNz\r\n", proxy.requests[0])

    def test_names_a_proxy_that_refuses_a_tunnel(self) -> None:
        with FakeServer(b"HTTP/1.1 403 Forbidden\r\n\r\n") as proxy, without_waits():
            with mock.patch.dict(os.environ, {"https_proxy": proxy.url, "no_proxy": ""}):
                with self.assertRaisesRegex(PlatformError, "the proxy 127.0.0.1 answered “HTTP/1.1 403 Forbidden”"):
                    Client("https://extract.test", "xt_live_key").get_shortvideo_profile(username="mira.kettle")
        self.assertEqual(set(proxy.lines), {"CONNECT extract.test:443 HTTP/1.1"})
        self.assertNotIn("xt_live_key", "".join(proxy.requests))

    def test_respects_no_proxy(self) -> None:
        with FakeServer(answer(PROFILE)) as server:
            with mock.patch.dict(os.environ, {"http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"}):
                Client(server.url).get_shortvideo_profile(username="mira.kettle")
        self.assertEqual(len(server.requests), 1)

    def test_checks_the_certificate_through_a_tunnel(self) -> None:
        certificate = os.environ.get("EXTRACT_TEST_CERTIFICATE")
        if certificate is None:
            self.skipTest("no certificate was made")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        asked: list[str] = []

        def tunnel(connection: socket.socket, _: str) -> None:
            connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            with context.wrap_socket(connection, server_side=True) as secure:
                asked.append(read_request(secure).split("\r\n", 1)[0])
                secure.sendall(answer(PROFILE))

        with FakeServer(tunnel) as proxy, without_waits():
            settings = {"https_proxy": proxy.url, "no_proxy": ""}
            with mock.patch.dict(os.environ, settings):
                with self.assertRaisesRegex(PlatformError, "certificate verify failed"):
                    Client("https://extract.test").get_shortvideo_profile(username="mira.kettle")
            self.assertEqual(asked, [])
            with mock.patch.dict(os.environ, {**settings, "SSL_CERT_FILE": certificate}):
                found = Client("https://extract.test").get_shortvideo_profile(username="mira.kettle")
        self.assertEqual((found.data, asked), (PROFILE, ["GET /v1/shortvideo/profile?username=mira.kettle HTTP/1.1"]))


if __name__ == "__main__":
    unittest.main()
