package tidepool.protocol;

import tidepool.schema.RowKey;
import tidepool.txn.Txn;

/**
 * A transaction that can also read the rows of a table whose keys are not known, in pages. It reads one page and
 * nothing else, and commits: then all rows of the page existed at one moment.
 */
public interface PageTxn extends Txn {
    /**
     * Reads the page that begins at {@link RowPage#from}, and fills in the rest of the page. The first call of an
     * attempt, instead of declarations. Waits for the memory nodes. Returns false if the attempt was aborted.
     */
    boolean readPage(RowPage page);

    /** Returns the key of a row of the page; the hash of the key if it is wide. */
    long keyWord(int access);

    /** Fills in the key of a row of the page, of any parts, and returns it. */
    RowKey key(int access, RowKey into);

    /**
     * Returns a place of {@code bytes} bytes in {@link #memory()}, for the caller, until the attempt ends; -1 if there
     * is no room, and the attempt is aborted so that the next one has more. The place is not cleared.
     */
    long place(long bytes);
}
