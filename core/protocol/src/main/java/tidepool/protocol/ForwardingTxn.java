package tidepool.protocol;

import java.lang.foreign.MemorySegment;
import tidepool.schema.RowKey;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Priority;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** A transaction that forwards every call to another one. Subclasses add to some calls or replace them. */
public abstract class ForwardingTxn implements Txn {
    /** The transaction that receives the calls. */
    protected Txn inner;

    protected ForwardingTxn() {}

    /** Sets the transaction that receives all calls from now on. */
    public final void forwardTo(Txn txn) {
        inner = txn;
    }

    @Override
    public int read(TableHandle table, long key) {
        return inner.read(table, key);
    }

    @Override
    public int read(TableHandle table, RowKey key) {
        return inner.read(table, key);
    }

    @Override
    public int update(TableHandle table, long key) {
        return inner.update(table, key);
    }

    @Override
    public int update(TableHandle table, RowKey key) {
        return inner.update(table, key);
    }

    @Override
    public int insert(TableHandle table, long key) {
        return inner.insert(table, key);
    }

    @Override
    public int insert(TableHandle table, RowKey key) {
        return inner.insert(table, key);
    }

    @Override
    public int put(TableHandle table, long key) {
        return inner.put(table, key);
    }

    @Override
    public int put(TableHandle table, RowKey key) {
        return inner.put(table, key);
    }

    @Override
    public int delete(TableHandle table, long key) {
        return inner.delete(table, key);
    }

    @Override
    public int delete(TableHandle table, RowKey key) {
        return inner.delete(table, key);
    }

    @Override
    public boolean execute() {
        return inner.execute();
    }

    @Override
    public boolean scan(RangeScan scan) {
        return inner.scan(scan);
    }

    @Override
    public boolean isExecuted(int access) {
        return inner.isExecuted(access);
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
    public long bucket(int access) {
        return inner.bucket(access);
    }

    @Override
    public boolean isConsistent() {
        return inner.isConsistent();
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
    public void priority(Priority how) {
        inner.priority(how);
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
    public String lastStep() {
        return inner.lastStep();
    }

    @Override
    public int blockingSession() {
        return inner.blockingSession();
    }
}
