package tidepool.protocol.ordered;

import tidepool.txn.RangeScan;

/**
 * An ordered index within one attempt of a transaction. Each method declares accesses and is asked again after {@link
 * tidepool.txn.Txn#execute}, until it needs no more. What transactions rely on:
 *
 * <ul>
 *   <li>After the commit, an entry is there if and only if its row is, with these attributes.
 *   <li>What a scan has read is in the read set: if another transaction inserts into the range or deletes from it, and
 *       commits, this attempt does not. The set of entries is that of one moment.
 *   <li>A scan sees the entries that this attempt has entered and removed.
 *   <li>In a snapshot, a scan sees the entries of the snapshot, or the attempt is aborted as too old.
 * </ul>
 */
public interface OrderedIndex {
    /** The answer of an index. */
    enum Answer {
        /** Done; nothing is left to be executed. */
        DONE,
        /** Accesses were declared: the transaction is to be executed, and the index to be asked again. */
        AGAIN,
        /** The attempt was aborted. */
        ABORTED
    }

    /** Declares what a later change of an entry will most likely need, so that it shares the next round trip. */
    void expect(byte[] key, int from);

    /** Enters or removes an entry, or looks for another entry with the same columns. */
    Answer change(EntryChange change);

    /** Reads the entries of the next page. */
    Answer scan(RangeScan scan);

    /** Called when the attempt has committed. */
    void committed();
}
