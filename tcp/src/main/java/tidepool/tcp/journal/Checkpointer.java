package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tidepool.base.Id128;

/** Makes one checkpoint, beside the owner, who goes on. */
final class Checkpointer implements Runnable {
    private final JournalDisk disk;
    private final Id128 node;
    private final List<Life> lives;
    private final List<PoolMemory> pools;
    private final CompletableFuture<Long> before;
    private final CompletableFuture<Long> durable = new CompletableFuture<>();
    private final Runnable copiedOrDone;
    private volatile boolean copied;
    private volatile boolean done;
    private volatile Throwable failure;
    private volatile long bytes;

    /**
     * @param lives the last lives of the node, the present one behind the others
     * @param before gives the last block whose effects are all in memory
     * @param copiedOrDone is run when {@link #isCopied} or {@link #isDone} changes
     */
    Checkpointer(
            JournalDisk disk,
            Id128 node,
            List<Life> lives,
            List<PoolMemory> pools,
            CompletableFuture<Long> before,
            Runnable copiedOrDone) {
        this.disk = disk;
        this.node = node;
        this.lives = lives;
        this.pools = pools;
        this.before = before;
        this.copiedOrDone = copiedOrDone;
    }

    @Override
    public void run() {
        try (CheckpointWriter writer =
                new CheckpointWriter(disk, node, lives.getLast().number(), before.join() + 1)) {
            write(writer);
            copied = true;
            copiedOrDone.run();
            writer.finish(durable.join());
            bytes = writer.bytes();
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        } finally {
            done = true;
            copiedOrDone.run();
        }
    }

    private void write(CheckpointWriter writer) throws IOException {
        for (Life life : lives) writer.life(life);
        for (PoolMemory pool : pools) {
            writer.pool(pool.pool(), pool.name(), pool.id(), pool.number(), pool.nodes());
            for (Map.Entry<Integer, PoolMemory.Region> region : pool.regions().entrySet())
                writer.create(pool.pool(), region.getKey(), region.getValue().bytes());
            writer.memory(pool.pool(), Entry.META, pool.meta());
            for (Map.Entry<Integer, PoolMemory.Region> region : pool.regions().entrySet())
                copy(writer, pool.pool(), region.getKey(), region.getValue().kept());
        }
    }

    /** Of a region that is freed meanwhile the journal says so, and what was in it is nothing to anybody. */
    private static void copy(CheckpointWriter writer, int pool, int region, MemorySegment memory) throws IOException {
        try {
            writer.memory(pool, region, memory);
        } catch (IllegalStateException e) {
            if (memory.scope().isAlive()) throw e;
        }
    }

    /** Whether all memory is copied: now it must be said up to where the journal has to reach. */
    boolean isCopied() {
        return copied;
    }

    /** To be completed when all is durable that was done before the copy was. */
    CompletableFuture<Long> durable() {
        return durable;
    }

    boolean isDone() {
        return done;
    }

    /** Null if it went well. */
    Throwable failure() {
        return failure;
    }

    long bytes() {
        return bytes;
    }
}
