package tidepool.bench.race;

import java.util.List;

/** Opens contenders, and says what they need. Everybody gets the same JVM with the same heap. */
final class Contenders {
    private static final long LEAST_HEAP_MEGABYTES = 2048;

    private Contenders() {}

    /** Makes and loads the store. What its library complains about comes out in its own words. */
    static Contender open(ContenderOptions options) {
        if (options.entry().isOurs()) return new PoolContender(options);
        return Peers.named(options.entry().name()).open(options);
    }

    /** Bytes of files that it needs in its folder. */
    static long fileBytes(Entry entry, RaceOptions options) {
        if (!entry.isOurs()) return Peers.named(entry.name()).fileBytes(options.newWorkload());
        return entry.fabric().equals("shm") ? poolBytes(entry, options) : 0;
    }

    /** Bytes of memory that ours need outside of the heap and of files. */
    static long nativeBytes(Entry entry, RaceOptions options) {
        return entry.isOurs() && !entry.fabric().equals("shm") ? poolBytes(entry, options) : 0;
    }

    private static long poolBytes(Entry entry, RaceOptions options) {
        return PoolSize.of(
                        options.shape().on(entry.fabric()),
                        options.newWorkload(),
                        options.crew().hands(),
                        entry.name())
                .allBytes();
    }

    /** Of everybody, because one of them may need it: rows of those who keep them there, and as much again to breathe. */
    static long heapMegabytes(RaceOptions options) {
        long bytes = 0;
        for (Entry entry : options.entries())
            if (!entry.isOurs())
                bytes = Math.max(bytes, Peers.named(entry.name()).heapBytes(options.newWorkload()));
        return LEAST_HEAP_MEGABYTES + (bytes >> 20);
    }

    /** The options of its JVM: those of the launcher, and what other people's libraries would otherwise warn about. */
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
