package tidepool.peers;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import tidepool.bench.ycsb.Clerk;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.RangeClerk;
import tidepool.bench.ycsb.Stamp;

/**
 * {@code postgres} for YCSB: a table with its primary key, one prepared statement over loopback for each operation.
 * Commits do not wait for the disk here, as with all stores that run this workload.
 */
public final class PostgresKeyStore implements KeyStore {
    private static final int LOAD_ROWS = 1_000;

    private final PostgresServer server;
    private final int valueBytes;

    public PostgresKeyStore(KeyStoreOptions options) {
        valueBytes = options.valueBytes();
        server = PostgresServer.start(options.threads() + 8);
        byte[] value = new byte[valueBytes];
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table records (id bigint primary key, value bytea not null)");
            statement.execute("alter table records alter value set storage plain");
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into records values (?, ?)")) {
                for (long record = 0; record < options.records(); record++) {
                    long key = record << options.keyShift();
                    Stamp.write(value, key, 0);
                    insert.setLong(1, key);
                    insert.setBytes(2, value);
                    insert.addBatch();
                    if (record % LOAD_ROWS == LOAD_ROWS - 1) insert.executeBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("vacuum analyze records");
            statement.execute("checkpoint");
        } catch (SQLException e) {
            server.close();
            throw new IllegalStateException("PostgreSQL cannot be loaded: " + e.getMessage(), e);
        }
    }

    @Override
    public Clerk clerk() {
        try {
            return new PostgresClerk(server.connect(), valueBytes);
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL does not take another connection: " + e.getMessage(), e);
        }
    }

    @Override
    public String settings() {
        return "PostgreSQL " + server.version()
                + " over loopback, serializable, a prepared statement per operation, synchronous_commit off, on a disk,"
                + " no replicas";
    }

    @Override
    public void close() {
        server.close();
    }

    private static final class PostgresClerk implements RangeClerk {
        private static final String CONFLICT = "40001";
        private static final String DEADLOCK = "40P01";

        private final PreparedStatement read;
        private final PreparedStatement update;
        private final PreparedStatement insert;
        private final PreparedStatement scan;
        private final int valueBytes;
        private long aborts;

        PostgresClerk(Connection connection, int valueBytes) throws SQLException {
            this.valueBytes = valueBytes;
            try (Statement statement = connection.createStatement()) {
                statement.execute("set synchronous_commit = off");
            }
            read = connection.prepareStatement("select value from records where id = ?");
            update = connection.prepareStatement("update records set value = ? where id = ?");
            insert = connection.prepareStatement("insert into records values (?, ?)");
            scan = connection.prepareStatement("select id, value from records where id >= ? order by id limit ?");
        }

        /** An operation that may meet a conflict. */
        @FunctionalInterface
        private interface Operation<T> {
            T run() throws SQLException;
        }

        private <T> T run(Operation<T> operation) {
            while (true) {
                try {
                    return operation.run();
                } catch (SQLException e) {
                    if (!List.of(CONFLICT, DEADLOCK).contains(String.valueOf(e.getSQLState())))
                        throw new IllegalStateException("PostgreSQL failed: " + e.getMessage(), e);
                    aborts++;
                }
            }
        }

        @Override
        public boolean read(long key, byte[] into) {
            return run(() -> {
                read.setLong(1, key);
                try (ResultSet found = read.executeQuery()) {
                    if (!found.next()) return false;
                    System.arraycopy(found.getBytes(1), 0, into, 0, valueBytes);
                    return true;
                }
            });
        }

        @Override
        public void update(long key, byte[] value) {
            run(() -> {
                update.setBytes(1, value);
                update.setLong(2, key);
                return update.executeUpdate();
            });
        }

        @Override
        public void insert(long key, byte[] value) {
            run(() -> {
                insert.setLong(1, key);
                insert.setBytes(2, value);
                return insert.executeUpdate();
            });
        }

        /** The answer is there as a whole before the first record is visited. */
        @Override
        public void scan(long from, int limit, Visitor visitor) {
            ResultSet found = run(() -> {
                scan.setLong(1, from);
                scan.setInt(2, limit);
                return scan.executeQuery();
            });
            try (found) {
                while (found.next()) visitor.record(found.getLong(1), ByteBuffer.wrap(found.getBytes(2)));
            } catch (SQLException e) {
                throw new IllegalStateException("PostgreSQL failed: " + e.getMessage(), e);
            }
        }

        @Override
        public long aborts() {
            return aborts;
        }
    }
}
