package tidepool;

/**
 * Told by {@link Tidepool#alter} how far it is.
 *
 * <pre>{@code
 * pool.alter("accounts", change, (moved, part) -> System.out.println("moved=" + moved));
 * }</pre>
 */
@FunctionalInterface
public interface AlterListener {
    /**
     * Called now and then while rows get another layout.
     *
     * @param rows the rows that have moved so far
     * @param part the part of the table that was looked at, 0 to 1
     */
    void moved(long rows, double part);

    /**
     * Called now and then while the rows that are there are entered into a new index.
     *
     * @param rows the rows that were entered so far
     * @param part the part of the table that was looked at, 0 to 1
     */
    default void entered(String index, long rows, double part) {}
}
