package tidepool.bench.smallbank;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableInfo;
import tidepool.store.schema.Schema;

/**
 * A pool without records: one session, its catalog, and coordinators for those who run transactions on fields. The layer
 * on which nothing is allocated.
 */
final class RawPool implements AutoCloseable {
    /** Protocols that can race. */
    static final List<String> PROTOCOLS = List.of("ford");

    private final Fabric fabric;
    private final Session session;
    private final Catalog catalog;
    private final Protocol protocol;
    private final TxnCounter counters = new TxnCounter();

    RawPool(String fabricUrl, PoolOptions options) {
        protocol = protocol(options.protocol());
        fabric = Fabric.open(fabricUrl);
        session = fabric.attach();
        catalog = Catalog.open(fabric, session, options);
    }

    private static Protocol protocol(String name) {
        Checks.argument(PROTOCOLS.contains(name), "unknown protocol '" + name + "'");
        return new Ford();
    }

    synchronized TableInfo table(Schema schema, long rows) {
        return catalog.table(schema, rows);
    }

    /** For the calling thread. */
    synchronized Coordinator coordinator() {
        return protocol.coordinator(session, catalog, counters);
    }

    @Override
    public void close() {
        session.close();
        fabric.close();
    }
}
