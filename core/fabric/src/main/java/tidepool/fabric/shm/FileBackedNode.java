package tidepool.fabric.shm;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.fabric.direct.FlushMode;
import tidepool.memory.RegionStore;

/**
 * One memory node of a pool, in files, for a server that has them alone. It is a pool directory of one node that also
 * says which node of which pool it is. The server that opens it must make sure that no other process does.
 */
public final class FileBackedNode implements AutoCloseable {
    /** The number of the node inside the directory. */
    public static final int NUMBER = 0;

    private final Superblock superblock;
    private final Arena arena = Arena.ofShared();
    private final MappedStore store;

    private FileBackedNode(PoolDirectory directory, Consumer<Runnable> whenQuiescent) {
        this.superblock = directory.superblock();
        boolean sound = false;
        try {
            if (!superblock.isServed() || superblock.nodes() != 1)
                throw FabricException.unavailable(
                        "this is a whole pool for shm:, not one node that a server serves: " + directory.path());
            this.store = new MappedStore(directory, NUMBER, arena, region -> whenQuiescent.accept(region::close));
            store.verify();
            sound = true;
        } finally {
            if (!sound) arena.close();
        }
    }

    /** Creates the directory; throws with a sentence if something exists there. */
    public static FileBackedNode create(
            Path path, Id128 pool, int number, int nodes, boolean handlers, Consumer<Runnable> whenQuiescent) {
        Path place = path.toAbsolutePath().normalize();
        Superblock superblock =
                new Superblock(1, pool, FlushMode.NONE, handlers, number | (long) nodes << Integer.SIZE);
        if (!new ShmPoolCreation(place, superblock).create())
            throw FabricException.unavailable("a pool cannot be created where something exists already: " + place);
        return open(place, whenQuiescent);
    }

    /**
     * Opens an existing directory, after checking that it is complete and of this format.
     *
     * @param whenQuiescent runs an action as soon as no verb can access a freed region any more
     */
    public static FileBackedNode open(Path path, Consumer<Runnable> whenQuiescent) {
        ShmOptions attach = new ShmOptions(null, null, null, ShmOptions.Mode.ATTACH, 0);
        return new FileBackedNode(PoolDirectory.open(path, attach), whenQuiescent);
    }

    public RegionStore store() {
        return store;
    }

    /** Removes files of freed regions that a killed server did not remove. */
    public void sweep() {
        store.sweep();
    }

    public Id128 pool() {
        return superblock.id();
    }

    /** Returns the number of this node in the pool. */
    public int number() {
        return (int) superblock.place();
    }

    /** Returns the number of nodes of the pool. */
    public int nodes() {
        return (int) (superblock.place() >>> Integer.SIZE);
    }

    /** Called when no verb can access the memory any more. */
    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
