package tidepool.workload.site;

import java.nio.file.Path;
import java.util.List;

/** Where a pool is for a while. Closing it ends and removes all that was started and made for it. */
public interface Site extends AutoCloseable {
    /** Those that processes can share. */
    List<String> FABRICS = List.of("shm", "tcp");

    /** The pool, for whoever looks on and for clients that nothing is done to. */
    String url();

    /** The pool, for a client process with a number of its own. */
    default String urlOf(int client) {
        return url();
    }

    /** Whether its memory nodes are the same for ever. */
    default boolean hasFixedNodes() {
        return true;
    }

    /** What it is, for a person. */
    String text();

    /** What was started for it has more of something than when this was asked first; in words. Waits a little for it. */
    default List<String> leftovers() throws InterruptedException {
        return List.of();
    }

    /** Ends with a sentence if something that was started for it has failed. */
    default void requireSound() {}

    @Override
    void close();

    /** Makes a new pool with three memory nodes. */
    @FunctionalInterface
    interface Maker {
        /**
         * Starts what has to be started. Waits.
         *
         * @param folder where files may be left; whoever gave it removes it
         * @param parameters of the pool's URL
         */
        Site make(Path folder, String parameters);
    }

    /** On one of {@link #FABRICS}. */
    static Maker on(String fabric) {
        return switch (fabric) {
            case "shm" -> ShmSite::new;
            case "tcp" -> TcpSite.maker(TcpSite.Nodes.DEFAULT);
            default ->
                throw new IllegalArgumentException(
                        "processes cannot share '" + fabric + "'; known: " + String.join(", ", FABRICS));
        };
    }
}
