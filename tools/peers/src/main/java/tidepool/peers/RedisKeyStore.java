package tidepool.peers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tidepool.bench.ycsb.Clerk;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.PipelinedClerk;
import tidepool.bench.ycsb.Stamp;

/**
 * {@code redis} and {@code redis-16}: {@code GET} and {@code SET} over loopback, a connection for each clerk. Redis
 * runs one operation at a time. The number in the name is the number of operations that a clerk has under way at once.
 */
public final class RedisKeyStore implements KeyStore {
    private static final char KEY = 'k';
    private static final int BATCH = 500;

    private final int outstanding;
    private final RedisServer server;
    private final List<RespConnection> connections = new ArrayList<>();

    public RedisKeyStore(KeyStoreOptions options) {
        outstanding = RedisServer.outstanding(options.name());
        server = RedisServer.start(options.folder());
        byte[] value = new byte[options.valueBytes()];
        try (RespConnection connection = server.connect()) {
            for (int first = 0; first < options.records(); first += BATCH) {
                int count = Math.min(BATCH, options.records() - first);
                connection.command(1 + 2 * count).word("MSET");
                for (int key = first; key < first + count; key++) {
                    Stamp.write(value, key, 0);
                    connection.word(KEY, key).word(value);
                }
                connection.line();
            }
        }
    }

    @Override
    public synchronized Clerk clerk() {
        RespConnection connection = server.connect();
        connections.add(connection);
        return new RedisClerk(connection, outstanding);
    }

    @Override
    public String settings() {
        return server.settings() + ", GET and SET, "
                + (outstanding == 1 ? "not pipelined" : outstanding + " operations under way per thread")
                + ", no replicas";
    }

    @Override
    public synchronized void close() {
        for (RespConnection connection : connections) connection.close();
        server.close();
    }

    private static final class RedisClerk implements PipelinedClerk {
        private static final byte[] GET = "GET".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] SET = "SET".getBytes(StandardCharsets.US_ASCII);

        private final RespConnection connection;
        private final int outstanding;

        RedisClerk(RespConnection connection, int outstanding) {
            this.connection = connection;
            this.outstanding = outstanding;
        }

        @Override
        public int outstanding() {
            return outstanding;
        }

        @Override
        public void postRead(long key) {
            connection.command(2).word(GET).word(KEY, key);
        }

        @Override
        public void postUpdate(long key, byte[] value) {
            connection.command(3).word(SET).word(KEY, key).word(value);
        }

        @Override
        public boolean takeRead(byte[] into) {
            return connection.string(into) >= 0;
        }

        @Override
        public void takeUpdate() {
            connection.ok();
        }

        @Override
        public long aborts() {
            return 0;
        }
    }
}
