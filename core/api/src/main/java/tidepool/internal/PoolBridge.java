package tidepool.internal;

import java.util.List;
import java.util.function.Consumer;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.Worker;
import tidepool.base.Checks;
import tidepool.fabric.Fabric;
import tidepool.fabric.Traffic;
import tidepool.protocol.Protocol;
import tidepool.protocol.record.SplitListener;
import tidepool.spi.FieldRows;
import tidepool.spi.GrowthListener;
import tidepool.spi.Steward;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;

/**
 * The package-private members of {@link Tidepool} that {@link tidepool.spi.PoolAccess} offers. The class
 * {@link Tidepool} installs the one bridge when it is initialized.
 */
public abstract class PoolBridge {
    private static volatile PoolBridge installed;

    protected PoolBridge() {}

    /** Called by the class {@link Tidepool}. */
    public static void install(PoolBridge bridge) {
        installed = bridge;
    }

    /** Returns the bridge; initializes the class {@link Tidepool} if no program has done so. */
    public static PoolBridge get() {
        if (installed == null) {
            try {
                Class.forName(Tidepool.class.getName(), true, Tidepool.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e); // it is in this module
            }
        }
        Checks.invariant(installed != null, "the class Tidepool installs its bridge");
        return installed;
    }

    public abstract Tidepool open(
            Membership membership, PoolOptions options, Protocol protocol, Steward.Pace pace, Consumer<Steward> start);

    public abstract Tidepool open(Membership membership, PoolOptions options, Protocol protocol);

    public abstract Tidepool open(Fabric fabric, PoolOptions options, Protocol protocol);

    public abstract Fabric fabric(Tidepool pool);

    public abstract Roster roster(Tidepool pool);

    public abstract Traffic traffic(Tidepool pool);

    public abstract Traffic traffic(Worker worker);

    public abstract TableUsage usage(Tidepool pool, TableHandle table, long buckets);

    public abstract List<TableLayout> layoutsWithParts(Tidepool pool, TableHandle table);

    public abstract FieldRows fieldRows(Tidepool pool, TableHandle table);

    public abstract void splitListener(Tidepool pool, SplitListener listener);

    public abstract void grow(Tidepool pool, long memory, GrowthListener listener);

    public abstract long memory(Tidepool pool);

    public abstract void scan(Transaction transaction, RangeScan range);

    public abstract long historyTick(Tidepool pool);
}
