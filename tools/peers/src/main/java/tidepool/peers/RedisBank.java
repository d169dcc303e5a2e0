package tidepool.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * {@code redis} and {@code redis-16}: Redis over loopback, a connection for each teller, and one script per
 * transaction. Redis runs one script at a time. The number in the name is the number of transactions that a teller has
 * under way at once; without one it waits for each.
 */
public final class RedisBank implements Bank {
    private static final int BATCH = 500;
    private static final int VALUE_BYTES = 2 * Long.BYTES;

    private final int customers;
    private final int outstanding;
    private final RedisServer server;
    private final List<RespConnection> connections = new ArrayList<>();

    public RedisBank(BankOptions options) {
        customers = options.customers();
        outstanding = RedisServer.outstanding(options.name());
        server = RedisServer.start(options.folder());
        byte[] value = ByteBuffer.allocate(VALUE_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(INITIAL_CENTS)
                .array();
        try (RespConnection connection = server.connect()) {
            for (int first = 0; first < customers; first += BATCH) {
                int count = Math.min(BATCH, customers - first);
                connection.command(1 + 4 * count).word("MSET");
                for (int customer = first; customer < first + count; customer++)
                    connection
                            .word('s', customer)
                            .word(value)
                            .word('c', customer)
                            .word(value);
                connection.line();
            }
        }
    }

    @Override
    public synchronized Teller teller() {
        RespConnection connection = server.connect();
        connections.add(connection);
        return new RedisTeller(connection, outstanding);
    }

    @Override
    public Totals totals() {
        long cents = 0;
        long changes = 0;
        ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (RespConnection connection = server.connect()) {
            for (int first = 0; first < customers; first += BATCH) {
                int count = Math.min(BATCH, customers - first);
                connection.command(1 + 2 * count).word("MGET");
                for (int customer = first; customer < first + count; customer++)
                    connection.word('s', customer).word('c', customer);
                int parts = connection.parts();
                for (int i = 0; i < parts; i++) {
                    connection.string(value.array());
                    cents += value.getLong(0);
                    changes += value.getLong(Long.BYTES);
                }
            }
        }
        return new Totals(cents, changes);
    }

    @Override
    public String settings() {
        return server.settings() + ", one script per transaction, "
                + (outstanding == 1 ? "not pipelined" : outstanding + " transactions under way per thread")
                + ", no replicas";
    }

    @Override
    public synchronized void close() {
        for (RespConnection connection : connections) connection.close();
        server.close();
    }
}
