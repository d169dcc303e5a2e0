package tidepool.peers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.RangeStoreContract;

/** Skipped where PostgreSQL is not installed. */
@Tag("process")
@Tag("full")
class PostgresRangeStoreTest extends RangeStoreContract {
    @BeforeEach
    void requireServer() {
        assumeTrue(PostgresServer.find().isPresent(), PostgresServer.notFound());
    }

    @Override
    protected KeyStore open(KeyStoreOptions options) {
        return new PostgresKeyStore(options);
    }
}
