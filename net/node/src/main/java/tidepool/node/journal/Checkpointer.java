package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tidepool.base.Id128;

/** The task that makes one checkpoint. It runs on a thread of its own, while the owner of the journal continues. */
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
     * @param lives the last lives of the node; the present one is the last
     * @param before completed with the last block whose effects are all in memory
     * @param copiedOrDone called when {@link #isCopied} or {@link #isDone} changes
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
            for (Map.Entry<Integer, PoolMemory.KeptRegion> region :
                    pool.regions().entrySet())
                writer.create(pool.pool(), region.getKey(), region.getValue().bytes());
            writer.memory(pool.pool(), JournalEntry.META, pool.meta());
            for (Map.Entry<Integer, PoolMemory.KeptRegion> region :
                    pool.regions().entrySet())
                copy(writer, pool.pool(), region.getKey(), region.getValue().kept());
        }
    }

    /** Copies a region. If it is freed meanwhile, the journal has its deletion, and its contents are not needed. */
    private static void copy(CheckpointWriter writer, int pool, int region, MemorySegment memory) throws IOException {
        try {
            writer.memory(pool, region, memory);
        } catch (IllegalStateException e) {
            if (memory.scope().isAlive()) throw e;
        }
    }

    /** Returns whether all memory is copied. The owner then has to complete {@link #durable}. */
    boolean isCopied() {
        return copied;
    }

    /** The owner completes it when every change made before the end of the copy is durable. */
    CompletableFuture<Long> durable() {
        return durable;
    }

    boolean isDone() {
        return done;
    }

    /** Returns null if the checkpoint succeeded. */
    Throwable failure() {
        return failure;
    }

    long bytes() {
        return bytes;
    }
}
