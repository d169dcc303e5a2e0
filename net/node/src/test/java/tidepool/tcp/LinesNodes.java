package tidepool.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import tidepool.base.Words;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.node.journal.PersistentMapping;
import tidepool.node.journal.RegionFiles;
import tidepool.node.journal.SystemDisk;

/**
 * Memory nodes on simulated persistent memory. Forced lines are written to files, the rest is memory of this process.
 * After a number of forces all nodes end at once. Some lose their power, and keep any of the unforced words.
 * Others are killed, and keep all words. The servers do not notice. Their remains lie in other folders.
 */
final class LinesNodes implements AutoCloseable {
    private static final int NODES = 3;
    private static final long MEMORY = 64 << 20;
    private static final String JOURNAL = "journal";

    /** So long that a busy machine is not taken for a dead one. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final Path dir;
    private final SplittableRandom random;
    private final List<Lines> lines = new ArrayList<>();
    private final List<MemoryServer> servers = new ArrayList<>();
    private final Object power = new Object();
    private long forces; // guarded by power, as all below
    private long endsAt = Long.MAX_VALUE;
    private double survives;
    private int lost;
    private volatile boolean over;

    /** Planted: says that lines are forced, and forgets them. */
    volatile boolean isLazy;

    /** @param dir of whose folders each node has one; what was there is served */
    LinesNodes(Path dir, SplittableRandom random) {
        this.dir = dir;
        this.random = random;
        for (int i = 0; i < NODES; i++) {
            Lines own = new Lines();
            lines.add(own);
            JournalOptions journal =
                    new JournalOptions(Durability.STRICT, MEMORY, 4 * MEMORY, SystemDisk::new, null, own);
            servers.add(MemoryServer.start(NodeOptions.onLoopback("n" + i, 0, MEMORY)
                    .withLease(LEASE, LEASE)
                    .withDir(folder(dir, i))
                    .withJournal(journal)));
        }
    }

    private static Path folder(Path dir, int node) {
        return dir.resolve("n" + node);
    }

    String url() {
        return "tcp://"
                + servers.stream()
                        .map(server -> "127.0.0.1:" + server.address().getPort())
                        .collect(Collectors.joining(","));
    }

    /**
     * Ends the nodes after {@code more} further forces.
     *
     * @param part of the words that were not forced and are there all the same, on nodes that lose their power
     */
    void endAfter(long more, double part) {
        synchronized (power) {
            endsAt = forces + more;
            survives = part;
        }
    }

    /** Returns whether the nodes have ended. Reports from then on do not count. */
    boolean isOver() {
        return over;
    }

    /** Words that were not forced, and are lost. */
    int lost() {
        synchronized (power) {
            return lost;
        }
    }

    /** The nodes on what is left. */
    LinesNodes startAgain() {
        close();
        return new LinesNodes(left(), random);
    }

    private Path left() {
        return dir.resolve("left");
    }

    @Override
    public void close() {
        for (MemoryServer server : servers) server.close();
    }

    // ---- the end

    private void end() throws IOException {
        over = true;
        int alone = random.nextInt(2 * NODES); // or all of them
        for (int i = 0; i < NODES; i++) {
            copy(folder(dir, i).resolve(JOURNAL), folder(left(), i).resolve(JOURNAL));
            Path regions = folder(left(), i).resolve(RegionFiles.FOLDER);
            copy(folder(dir, i).resolve(RegionFiles.FOLDER), regions);
            for (Mapped one : lines.get(i).mapped) keep(one, regions, alone < NODES && alone != i ? 1 : survives);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) if (!file.endsWith("place")) Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    private void keep(Mapped one, Path regions, double part) throws IOException {
        if (!one.memory.scope().isAlive()) return;
        Path file = regions.resolve(one.file.getFileName());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer kept = ByteBuffer.allocate((int) one.memory.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
            channel.read(kept, one.at);
            for (int at = 0; at < kept.capacity(); at += Words.BYTES) {
                long now = Words.plain(one.memory, at);
                if (now == kept.getLong(at)) continue;
                if (random.nextDouble() < part) kept.putLong(at, now);
                else lost++;
            }
            channel.write(kept.rewind(), one.at);
        }
    }

    // ---- persistent memory

    private record Mapped(Path file, long at, MemorySegment memory) {}

    private final class Lines implements PersistentMapping {
        private final List<Mapped> mapped = new ArrayList<>(); // guarded by power

        @Override
        public String fault(Path folder) {
            return null;
        }

        @Override
        public MemorySegment map(Path file, long at, long bytes, Arena arena) throws IOException {
            MemorySegment memory = arena.allocate(bytes, 4096);
            synchronized (power) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    channel.read(memory.asByteBuffer(), at);
                }
                mapped.add(new Mapped(file, at, memory));
            }
            return memory;
        }

        @Override
        public void force(MemorySegment memory, long offset, long bytes) {
            synchronized (power) {
                try {
                    if (++forces == endsAt) end();
                    if (!isLazy) write(memory, offset, bytes);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        private void write(MemorySegment memory, long offset, long bytes) throws IOException {
            Mapped found = mapped.stream()
                    .filter(one -> one.memory == memory)
                    .findFirst()
                    .orElseThrow();
            try (FileChannel channel = FileChannel.open(found.file, StandardOpenOption.WRITE)) {
                ByteBuffer from = memory.asSlice(offset, bytes).asByteBuffer();
                while (from.hasRemaining()) channel.write(from, found.at + offset + from.position());
            }
        }
    }
}
