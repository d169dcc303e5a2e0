package tidepool.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import tidepool.base.Words;
import tidepool.node.journal.PersistentMapping;

/**
 * A simulation of persistent memory. A mapping is memory of this process, and forced bytes are written to the file.
 * When the power fails, each unforced word may survive or not.
 */
final class ForgetfulLines implements PersistentMapping {
    private record Mapped(Path file, long at, MemorySegment memory) {}

    private final List<Mapped> mapped = new ArrayList<>(); // guarded by this
    private long forced; // guarded by this

    /** The reason why there is no persistent memory; null if there is. */
    volatile String fault;

    /** A planted bug: a force returns without forcing. */
    volatile boolean isLazy;

    @Override
    public String fault(Path folder) {
        return fault;
    }

    @Override
    public synchronized MemorySegment map(Path file, long at, long bytes, Arena arena) throws IOException {
        MemorySegment memory = arena.allocate(bytes, 4096);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.read(memory.asByteBuffer(), at);
        }
        mapped.add(new Mapped(file, at, memory));
        return memory;
    }

    @Override
    public synchronized void force(MemorySegment memory, long offset, long bytes) {
        if (offset % LINE != 0 || bytes % LINE != 0) throw new IllegalArgumentException("lines are forced as a whole");
        forced += bytes / LINE;
        if (isLazy) return;
        Mapped found = mapped.stream()
                .filter(one -> one.memory == memory)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody has mapped that"));
        try (FileChannel channel = FileChannel.open(found.file, StandardOpenOption.WRITE)) {
            ByteBuffer from = memory.asSlice(offset, bytes).asByteBuffer();
            while (from.hasRemaining()) channel.write(from, found.at + offset + from.position());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized long forced() {
        return forced;
    }

    /** Writes the surviving unforced words to a copy of the files, and returns their number. */
    synchronized int powerFails(Path regions, RandomGenerator random, double survives) throws IOException {
        int survivors = 0;
        for (Mapped one : mapped) {
            if (!one.memory.scope().isAlive()) continue;
            Path file = regions.resolve(one.file.getFileName());
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer kept =
                        ByteBuffer.allocate((int) one.memory.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
                channel.read(kept, one.at);
                for (int at = 0; at < kept.capacity(); at += Words.BYTES) {
                    long now = Words.plain(one.memory, at);
                    if (now == kept.getLong(at) || random.nextDouble() >= survives) continue;
                    kept.putLong(at, now);
                    survivors++;
                }
                channel.write(kept.rewind(), one.at);
            }
        }
        return survivors;
    }
}
