package tidepool.workload.measured;

import java.lang.foreign.MemorySegment;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Outcome;
import tidepool.protocol.Txn;
import tidepool.store.TableInfo;

/** Hands everything on; what is planted overrides some of it. */
public abstract class WrappedTxn implements Txn {
    /** Who does it. */
    protected Txn inner;

    @Override
    public int read(TableInfo table, long key) {
        return inner.read(table, key);
    }

    @Override
    public int update(TableInfo table, long key) {
        return inner.update(table, key);
    }

    @Override
    public int insert(TableInfo table, long key) {
        return inner.insert(table, key);
    }

    @Override
    public int put(TableInfo table, long key) {
        return inner.put(table, key);
    }

    @Override
    public int delete(TableInfo table, long key) {
        return inner.delete(table, key);
    }

    @Override
    public boolean execute() {
        return inner.execute();
    }

    @Override
    public boolean found(int access) {
        return inner.found(access);
    }

    @Override
    public boolean writes(int access) {
        return inner.writes(access);
    }

    @Override
    public MemorySegment memory() {
        return inner.memory();
    }

    @Override
    public long value(int access) {
        return inner.value(access);
    }

    @Override
    public long version(int access) {
        return inner.version(access);
    }

    @Override
    public long bucketVersion(int access) {
        return inner.bucketVersion(access);
    }

    @Override
    public Outcome commit() {
        return inner.commit();
    }

    @Override
    public void rollback() {
        inner.rollback();
    }

    @Override
    public long id() {
        return inner.id();
    }

    @Override
    public AbortReason abortReason() {
        return inner.abortReason();
    }

    @Override
    public int blockingSession() {
        return inner.blockingSession();
    }
}
