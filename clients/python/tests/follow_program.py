"""Makes a job and prints the name of each line as it comes, whatever becomes of the server meanwhile."""

import sys

from public_extract import Client

client = Client()
job = client.submit("shortvideo/profile", [{"username": name} for name in sys.argv[1:]])
for line in client.results(job["id"]):
    print(line.result()["username"], flush=True)
