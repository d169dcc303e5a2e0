package tidepool.evidence.litmus;

import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.TxnIdsExhaustedException;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.RowFormat;
import tidepool.txn.Txn;

/** A planted bug for any protocol: a session that has used its last transaction id starts again with old ids. */
final class ComesRound implements Protocol {
    private final Protocol protocol;

    ComesRound(Protocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public String name() {
        return protocol.name();
    }

    @Override
    public RowFormat rows(Schema schema) {
        return protocol.rows(schema);
    }

    @Override
    public Coordinator coordinator(Session session, Catalog catalog, TxnCounter ignored) {
        return new Coordinator() {
            @Override
            public int number() {
                return now.number();
            }

            private Coordinator now = fresh();

            private Coordinator fresh() {
                return new NearTheEnd(protocol).coordinator(session, catalog, null);
            }

            @Override
            public Txn begin() {
                try {
                    return now.begin();
                } catch (TxnIdsExhaustedException e) {
                    now.close();
                    now = fresh();
                    return now.begin();
                }
            }

            @Override
            public Traffic traffic() {
                return now.traffic();
            }

            @Override
            public String whyBroken() {
                return now.whyBroken();
            }

            @Override
            public void close() {
                now.close();
            }
        };
    }

    @Override
    public Recovery recovery(Session session, Catalog catalog) {
        return protocol.recovery(session, catalog);
    }
}
