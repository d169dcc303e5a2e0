package tidepool;

/**
 * What a load does with a row whose key exists already, in the table or earlier in the load.
 *
 * <pre>{@code
 * TableLoader<Account> loader = accounts.loader().onDuplicate(Duplicates.SKIP);
 * }</pre>
 */
public enum Duplicates {
    /** The load ends with a {@link DuplicateKeyException}, and nothing of the batch of that row happens. */
    REFUSE,
    /** The row that exists stays as it is. */
    SKIP,
    /** The row that exists is replaced as a whole. */
    REPLACE
}
