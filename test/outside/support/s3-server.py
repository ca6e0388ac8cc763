"""Runs OpenStack Swift with its S3 API: a proxy, and one server each for accounts, containers and objects.

Usage: s3-server.py FOLDER PORT. Keeps its data in FOLDER, so that it can be started again. The signatures of requests
are checked. The key is `test:tester`, its secret `testing`.
"""

import os
import socket
import sys

import eventlet

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)

from eventlet import wsgi
from paste.deploy import loadapp
from swift.common.ring.builder import RingBuilder
from swift.common.utils import set_swift_dir

folder, port = sys.argv[1], int(sys.argv[2])
KINDS = ["account", "container", "object"]

PROXY = """
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
paste.filter_app_factory = s3_server_cache:factory
"""

STORAGE = """
[DEFAULT]
swift_dir = {folder}
devices = {folder}
mount_check = false
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""


class Cache:
    """Stands in for memcached, which the authentication needs even if nothing is cached."""

    def get(self, key, *args, **kwargs):
        return None

    def set(self, *args, **kwargs):
        pass

    def incr(self, *args, **kwargs):
        return 0

    def delete(self, *args, **kwargs):
        pass


def cache_factory(app, global_conf, **local_conf):
    def with_cache(env, start_response):
        env["swift.cache"] = cache
        return app(env, start_response)

    return with_cache


cache = Cache()
cache_module = type(sys)("s3_server_cache")
cache_module.factory = cache_factory
sys.modules["s3_server_cache"] = cache_module


def listen(to):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", to))
    listener.listen(512)
    return listener


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def serve(listener, conf, name):
    app = loadapp("config:" + write(name + ".conf", conf))
    return eventlet.spawn(wsgi.server, listener, app, log_output=False)


def main():
    os.makedirs(os.path.join(folder, "d1"), exist_ok=True)
    write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = one\ndefault = yes\n")
    set_swift_dir(folder)
    listeners = {kind: listen(0) for kind in KINDS}
    for kind, listener in listeners.items():
        ring = RingBuilder(1, 1, 1)
        ring.add_dev({
            "id": 0, "region": 1, "zone": 1, "weight": 1, "device": "d1", "ip": "127.0.0.1",
            "port": listener.getsockname()[1], "replication_ip": "127.0.0.1",
            "replication_port": listener.getsockname()[1],
        })
        ring.rebalance()
        ring.get_ring().save(os.path.join(folder, kind + ".ring.gz"))
    servers = [
        serve(listener, STORAGE.format(folder=folder, kind=kind), kind) for kind, listener in listeners.items()
    ]
    servers.append(serve(listen(port), PROXY.format(folder=folder), "proxy"))
    print("ready", flush=True)
    for server in servers:
        server.wait()


main()
