package tidepool.fabric.shm;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.fabric.direct.Durability;
import tidepool.memory.RegionStore;

/**
 * One memory node of a pool, in files, for a server that is the only one to touch them: a pool directory of one node that
 * also says which node of which pool it is. Whoever opens it sees to it that nobody else does.
 */
public final class ServedNode implements AutoCloseable {
    /** Its number inside the directory. */
    public static final int NUMBER = 0;

    private final Superblock superblock;
    private final Arena arena = Arena.ofShared();
    private final MappedStore store;

    private ServedNode(PoolDirectory directory, Consumer<Runnable> whenNobodyLooks) {
        this.superblock = directory.superblock();
        boolean sound = false;
        try {
            if (!superblock.isServed() || superblock.nodes() != 1)
                throw FabricException.unavailable(
                        "this is a whole pool for shm:, not one node that a server serves: " + directory.path());
            this.store = new MappedStore(directory, NUMBER, arena, region -> whenNobodyLooks.accept(region::close));
            store.verify();
            sound = true;
        } finally {
            if (!sound) arena.close();
        }
    }

    /** Makes the directory; refuses with a sentence if something is there. */
    public static ServedNode create(
            Path path, Id128 pool, int number, int nodes, boolean handlers, Consumer<Runnable> whenNobodyLooks) {
        Path place = path.toAbsolutePath().normalize();
        Superblock superblock =
                new Superblock(1, pool, Durability.NONE, handlers, number | (long) nodes << Integer.SIZE);
        if (!new PoolCreation(place, superblock).create())
            throw FabricException.unavailable("a pool cannot be created where something exists already: " + place);
        return open(place, whenNobodyLooks);
    }

    /**
     * Opens what is there, after looking whether it is whole and ours.
     *
     * @param whenNobodyLooks runs something as soon as no verb can be touching a region that was freed
     */
    public static ServedNode open(Path path, Consumer<Runnable> whenNobodyLooks) {
        ShmOptions attach = new ShmOptions(null, null, null, ShmOptions.Mode.ATTACH, 0);
        return new ServedNode(PoolDirectory.open(path, attach), whenNobodyLooks);
    }

    public RegionStore store() {
        return store;
    }

    /** Removes files of freed regions that a killed server had no time to remove. */
    public void sweep() {
        store.sweep();
    }

    public Id128 pool() {
        return superblock.id();
    }

    /** Which node of the pool it is. */
    public int number() {
        return (int) superblock.place();
    }

    /** How many nodes the pool has. */
    public int nodes() {
        return (int) (superblock.place() >>> Integer.SIZE);
    }

    /** Nobody looks any more. */
    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
