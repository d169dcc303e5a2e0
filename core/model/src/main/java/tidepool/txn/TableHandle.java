package tidepool.txn;

import tidepool.schema.Schema;

/**
 * A table of an open pool, for transactions on fields. Pools make handles; a handle of another pool is refused.
 *
 * <pre>{@code
 * TableHandle accounts = pool.table("accounts");
 * LongField balance = accounts.schema().longField("balance");
 * int access = txn.update(accounts, 17);
 * }</pre>
 */
public interface TableHandle {
    /** Returns its name in the pool. */
    String name();

    /** Returns the attributes of its values. */
    Schema schema();

    /** Returns for how many rows there is room, if they spread evenly. */
    long rows();
}
