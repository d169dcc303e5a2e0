package tidepool.workload.site;

import java.nio.file.Path;
import java.util.List;

/** The temporary place of a pool. Closing it ends all processes and removes all files that were made for it. */
public interface Site extends AutoCloseable {
    /** The fabrics that processes can share. */
    List<String> FABRICS = List.of("shm", "tcp");

    /** Returns the URL of the pool, for observers and for clients without faults. */
    String url();

    /** Returns the URL of the pool for the client process of this number. */
    default String urlOf(int client) {
        return url();
    }

    /** Returns whether its memory nodes never change. */
    default boolean hasFixedNodes() {
        return true;
    }

    /** Describes the site for people. */
    String text();

    /**
     * Returns the resources of its processes that exceed those at the first call, in words. Waits a limited time for
     * their release.
     */
    default List<String> leftovers() throws InterruptedException {
        return List.of();
    }

    /** Throws an exception if a process of the site has failed. */
    default void requireSound() {}

    @Override
    void close();

    /** Makes a new pool with three memory nodes. */
    @FunctionalInterface
    interface Maker {
        /**
         * Starts the processes of the site and waits until they are ready.
         *
         * @param folder for files; the caller removes it
         * @param parameters of the pool's URL
         */
        Site make(Path folder, String parameters);
    }

    /** Returns a maker for one of {@link #FABRICS}. */
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
