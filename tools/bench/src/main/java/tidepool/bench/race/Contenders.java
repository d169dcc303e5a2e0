package tidepool.bench.race;

import java.util.List;

/** Opens contenders, and computes their memory. All contenders get an equal JVM with an equal heap. */
final class Contenders {
    private static final long MIN_HEAP_MEGABYTES = 2048;

    private Contenders() {}

    /** Makes and loads the store. Errors of its library are passed on unchanged. */
    static Contender open(ContenderOptions options) {
        if (options.entry().isOurs()) return new PoolContender(options);
        return Peers.named(options.entry().name()).open(options);
    }

    /** Returns the bytes of files that it needs in its folder. */
    static long fileBytes(RaceEntry entry, RaceOptions options) {
        if (!entry.isOurs()) return Peers.named(entry.name()).fileBytes(options.newWorkload());
        return entry.fabric().equals("shm") ? poolBytes(entry, options) : 0;
    }

    /** Returns the bytes of memory that our pools need outside of the heap and of files. */
    static long nativeBytes(RaceEntry entry, RaceOptions options) {
        return entry.isOurs() && !entry.fabric().equals("shm") ? poolBytes(entry, options) : 0;
    }

    private static long poolBytes(RaceEntry entry, RaceOptions options) {
        return PoolSize.of(
                        options.shape().on(entry.fabric()),
                        options.newWorkload(),
                        options.threadOptions().drivers(),
                        entry.name())
                .allBytes();
    }

    /**
     * Returns the heap of all contenders, because one of them may need it: the rows of stores that keep them on the
     * heap, and as much again for garbage collection.
     */
    static long heapMegabytes(RaceOptions options) {
        long bytes = 0;
        for (RaceEntry entry : options.entries())
            if (!entry.isOurs())
                bytes = Math.max(bytes, Peers.named(entry.name()).heapBytes(options.newWorkload()));
        return MIN_HEAP_MEGABYTES + (bytes >> 20);
    }

    /** Returns the options of its JVM: those of the launcher, and those that suppress warnings of foreign libraries. */
    static List<String> jvmOptions(long heapMegabytes) {
        return List.of(
                "-Xms" + heapMegabytes + "m",
                "-Xmx" + heapMegabytes + "m",
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED", // LMDB's library writes through addresses of buffers
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow");
    }
}
