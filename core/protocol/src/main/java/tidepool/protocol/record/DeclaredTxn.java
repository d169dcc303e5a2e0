package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.protocol.PageTxn;
import tidepool.protocol.TxnRoom;
import tidepool.schema.KeySchema;
import tidepool.schema.RowKey;
import tidepool.store.ObjectLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.TableHandle;

/**
 * A transaction as its application sees it: declarations of accesses, and their results once they were carried out.
 * {@link RecordTxn} carries them out.
 */
abstract class DeclaredTxn implements PageTxn {
    final AttemptState attempt = new AttemptState();
    final AttemptRoom attemptRoom;
    final AccessSet declared;
    final WriteSet writes;
    private final MemorySegment memory;
    private final boolean locksEarly;

    /** How many declarations found no room. The attempt ends when they are to be carried out. */
    private int beyond;

    private long id;

    @SuppressWarnings("this-escape") // the room keeps it and does not use it before a transaction begins
    DeclaredTxn(RecordCoordinator coordinator, boolean locksEarly) {
        this.locksEarly = locksEarly;
        attemptRoom = new AttemptRoom(this, coordinator);
        memory = attemptRoom.memory();
        declared = new AccessSet(attemptRoom);
        writes = new WriteSet(attemptRoom);
    }

    final void begin(long newId) {
        Checks.invariant(!attempt.isActive(), "a transaction ends before the next one begins");
        id = newId;
        attempt.begin();
        attemptRoom.clear();
        declared.clear();
        writes.clear();
        beyond = 0;
        begun();
    }

    /** Called when a transaction begins, to clear what the one before has left. */
    abstract void begun();

    /** Ends the attempt because of what it asks for, unless it has ended. */
    abstract void giveUp(AbortReason why);

    // ---- declarations

    @Override
    public final int read(TableHandle table, long key) {
        return declare(Access.Kind.READ, table, key, null);
    }

    @Override
    public final int read(TableHandle table, RowKey key) {
        return declare(Access.Kind.READ, table, key);
    }

    @Override
    public final int update(TableHandle table, long key) {
        return declare(Access.Kind.UPDATE, table, key, null);
    }

    @Override
    public final int update(TableHandle table, RowKey key) {
        return declare(Access.Kind.UPDATE, table, key);
    }

    @Override
    public final int insert(TableHandle table, long key) {
        return declare(Access.Kind.INSERT, table, key, null);
    }

    @Override
    public final int insert(TableHandle table, RowKey key) {
        return declare(Access.Kind.INSERT, table, key);
    }

    @Override
    public final int put(TableHandle table, long key) {
        return declare(Access.Kind.PUT, table, key, null);
    }

    @Override
    public final int put(TableHandle table, RowKey key) {
        return declare(Access.Kind.PUT, table, key);
    }

    @Override
    public final int delete(TableHandle table, long key) {
        return declare(Access.Kind.DELETE, table, key, null);
    }

    @Override
    public final int delete(TableHandle table, RowKey key) {
        return declare(Access.Kind.DELETE, table, key);
    }

    private int declare(Access.Kind kind, TableHandle table, RowKey key) {
        if (!key.schema().equals(table.schema().key()))
            throw new IllegalArgumentException(
                    "a key of table " + table.name() + " is " + table.schema().key() + ", not " + key.schema());
        return declare(kind, table, key.word(), key.schema().isWide() ? key : null);
    }

    private int declare(Access.Kind kind, TableHandle table, long key, RowKey wide) {
        Checks.argument(attempt.isActive(), "the transaction has ended");
        if (beyond == 0) {
            try {
                return declared.add(kind, table, key, wide);
            } catch (AttemptEnd e) {
                // Nothing is known of what is declared until it is carried out, and this will not be.
            }
        }
        // A loop that an inconsistent state misleads ends here.
        if (declared.count() + ++beyond > TxnRoom.LARGEST.accesses())
            throw attemptRoom.tooLarge("accesses", TxnRoom.LARGEST.accesses());
        return AccessNumber.NONE;
    }

    /** Whether some declaration found no room. */
    final boolean hasRefusedDeclarations() {
        return beyond > 0;
    }

    /** Lets the next attempt have room for all declarations of this one. */
    final AttemptEnd needsRoomForDeclarations() {
        return attemptRoom.needsAccesses(declared.count() + (long) beyond);
    }

    /** Returns the i-th access that was declared. */
    protected final Access access(int i) {
        return declared.get(i);
    }

    protected final int accesses() {
        return declared.count();
    }

    protected final WriteSet writes() {
        return writes;
    }

    // ---- results

    @Override
    public final boolean isExecuted(int access) {
        return AccessNumber.index(access) < declared.answered();
    }

    @Override
    public final boolean found(int access) {
        Access a = executed(access);
        int presence = AccessNumber.presence(access);
        return presence == AccessNumber.AS_IN_POOL ? a.found : presence == AccessNumber.PRESENT;
    }

    @Override
    public final boolean writes(int access) {
        Access a = executed(access);
        if (!a.writes()) return false;
        return switch (AccessNumber.kind(access, a.first)) {
            case READ -> false;
            case UPDATE, DELETE -> found(access);
            case INSERT -> !found(access);
            case PUT -> true;
        };
    }

    @Override
    public final MemorySegment memory() {
        return memory;
    }

    @Override
    public final long value(int access) {
        Access a = executed(access);
        while (a.later != null && a.later.index < declared.answered()) a = a.later;
        if (!a.writes() && !a.found)
            throw new IllegalStateException("key " + keyText(a) + " of table " + a.table.name() + " was not found");
        return valueOf(a);
    }

    private String keyText(Access a) {
        KeySchema keys = a.table.schema().key();
        return keys.newKey().setFrom(memory, a.wideKey, a.key).toString();
    }

    /** Returns where the value of an access lies that was found or is written. */
    protected long valueOf(Access a) {
        return a.writes() ? a.record.staged + ObjectLayout.BODY_CONTENT : a.landed + ObjectLayout.CONTENT;
    }

    @Override
    public final long version(int access) {
        Access a = executed(access);
        if (a.writes() && AccessNumber.presence(access) != AccessNumber.AS_IN_POOL) return id;
        if (a.isInsert()) return bucketVersion(access);
        return a.writes() ? a.record.version(memory) : a.versionSeen;
    }

    @Override
    public final long bucketVersion(int access) {
        Access a = executed(access);
        Checks.argument(a.head != null, "the access neither inserts nor deletes");
        return locksEarly ? a.head.version(memory) : a.head.expected;
    }

    @Override
    public final long bucket(int access) {
        Access a = executed(access);
        if (a.head != null) return a.head.pointer;
        Checks.argument(!a.found, "the access found its key, and neither inserts nor deletes");
        return a.witness;
    }

    @Override
    public final long keyWord(int access) {
        return executed(access).key;
    }

    @Override
    public final RowKey key(int access, RowKey into) {
        Access a = executed(access);
        return into.setFrom(memory, a.wideKey, a.key);
    }

    private Access executed(int access) {
        int index = AccessNumber.index(access);
        Checks.argument(access >= 0 && index < declared.executed(), "the access was not executed yet");
        return declared.get(index);
    }

    // ---- the attempt

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final AbortReason abortReason() {
        return attempt.reason();
    }

    @Override
    public final int blockingSession() {
        return attempt.blockingSession();
    }

    @Override
    public final String lastStep() {
        return attempt.lastStep();
    }
}
