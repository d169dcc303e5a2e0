package tidepool.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.base.OwnerOnly;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.node.journal.Journal;
import tidepool.node.journal.JournalDisk;
import tidepool.node.journal.JournalEntry;
import tidepool.node.journal.JournalException;
import tidepool.node.journal.PoolMemory;
import tidepool.node.journal.RegionFiles;

/** The journal of a node, and the pools in it. Only the node's loop uses it. */
final class NodeJournal {
    /**
     * The folder of the journal inside the node's folder. A pool in mapped files with this name has no file
     * {@code identity}, so it is not mistaken for a journal.
     */
    private static final String FOLDER = "journal";

    private static final String IDENTITY = "identity";

    /** Folders that do not belong to pools. */
    private static final Set<String> OWN = Set.of(FOLDER, RegionFiles.FOLDER);

    /** A pool in the journal. */
    record Known(int number, String name, HostedPool.Place place, JournaledStore store) {}

    private final Journal journal;
    private final Map<Integer, Known> pools;
    private final Map<Integer, MemoryNode> nodes = new TreeMap<>();
    private final UnflushedLines lines;

    private NodeJournal(Journal journal, UnflushedLines lines, Map<Integer, Known> pools) {
        this.journal = journal;
        this.lines = lines;
        this.pools = pools;
    }

    /** Returns whether a node's folder has a journal. */
    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FOLDER).resolve(IDENTITY));
    }

    /** Opens the journal, or begins one. Throws if it must not be served; the message says why. */
    static NodeJournal open(
            Path folder,
            NodeOptions options,
            MemoryBudget budget,
            Consumer<Runnable> whenQuiescent,
            Runnable progress) {
        refuseMapped(folder, options);
        RecoveredPools recovered = null;
        Journal journal = null;
        boolean opened = false;
        try {
            Path at = OwnerOnly.folder(folder.resolve(FOLDER));
            JournalDisk disk = options.journal().disks().apply(at);
            PersistenceChoice choice = PersistenceChoice.of(folder, disk, options.journal());
            UnflushedLines lines = choice.lines();
            recovered = new RecoveredPools(lines, budget, whenQuiescent);
            budget.restoring();
            journal = Journal.open(disk, choice.options(), recovered, Ids.secure(), progress);
            budget.restored();
            NodeJournal node = new NodeJournal(journal, lines, recovered.pools());
            if (lines != null) {
                lines.files().belongTo(disk);
                lines.files().sweep(node::isLive);
            }
            opened = true;
            return node;
        } catch (JournalException e) {
            throw FabricException.unavailable(e.getMessage(), e);
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot use its directory (" + e + "): " + folder, e);
        } finally {
            if (!opened && journal != null) journal.abandon();
            if (!opened && recovered != null) recovered.close();
        }
    }

    /**
     * Refuses a folder with pools in mapped files. They are not in the journal, and clients would find them missing.
     */
    private static void refuseMapped(Path folder, NodeOptions options) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path entry : entries)
                if (!OWN.contains(entry.getFileName().toString()) || Files.exists(entry.resolve("pool")))
                    throw FabricException.unavailable("pools in mapped files lie here, which --durability "
                            + options.journal().durability().text()
                            + " does not serve: start the node with --durability none, or give it another --dir: "
                            + entry);
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot read its directory (" + e + "): " + folder, e);
        }
    }

    Journal journal() {
        return journal;
    }

    /** Returns null if the journal has the data of regions. */
    UnflushedLines lines() {
        return lines;
    }

    private boolean isLive(int pool, int region) {
        Known known = pools.get(pool);
        if (known == null) return false;
        MemorySegment meta = known.store.meta();
        return region < Words.plain(meta, NodeLayout.REGION_COUNT)
                && NodeLayout.isLive(Words.plain(meta, NodeLayout.region(region) + NodeLayout.REGION_STATE));
    }

    /** Returns memory for the next pool. */
    JournaledStore nextStore(MemoryBudget budget, Consumer<Runnable> whenQuiescent) {
        return lines == null
                ? new NativeStore(budget, whenQuiescent)
                : new PersistentMemoryStore(pools.size(), lines, budget, whenQuiescent);
    }

    Iterable<Known> pools() {
        return pools.values();
    }

    /** Adds a new pool, whose memory is allocated. */
    Known add(String name, HostedPool.Place place, JournaledStore store) {
        int number = pools.size();
        if (number == JournalEntry.POOLS)
            throw FabricException.unavailable("a node with a journal has at most " + JournalEntry.POOLS + " pools");
        Known known = new Known(number, name, place, store);
        pools.put(number, known);
        journal.pool(number, name, place.id(), place.number(), place.nodes(), store.meta());
        return known;
    }

    /** Returns the recorder of a pool. From now on checkpoints copy the memory of this node. */
    PoolJournal of(Known known, MemoryNode node) {
        nodes.put(known.number, node);
        return new PoolJournal(this, known.number, node.meta());
    }

    /** Called when the node may have another place in the pool. */
    void placed(int number, HostedPool.Place place) {
        Known known = pools.get(number);
        if (known.place.equals(place)) return;
        pools.put(number, new Known(number, known.name, place, known.store));
        journal.placed(number, known.name, place.id(), place.number(), place.nodes());
    }

    /** Called at the end of a turn of the loop. */
    void turn(boolean quiet) {
        journal.turn(quiet, this::memory);
    }

    private List<PoolMemory> memory() {
        List<PoolMemory> all = new ArrayList<>();
        for (Known known : pools.values()) {
            MemoryNode node = nodes.get(known.number);
            Map<Integer, PoolMemory.KeptRegion> regions = new TreeMap<>();
            for (int i = 0; i < node.regionCount(); i++) {
                long state = Words.acquire(node.meta(), NodeLayout.region(i) + NodeLayout.REGION_STATE);
                if (NodeLayout.isLive(state)) regions.put(i, kept(node.region(i)));
            }
            Id128 id = known.place.id();
            all.add(new PoolMemory(
                    known.number, known.name, id, known.place.number(), known.place.nodes(), node.meta(), regions));
        }
        return all;
    }

    private PoolMemory.KeptRegion kept(NodeRegion region) {
        MemorySegment whole = region.whole();
        long bytes = whole.byteSize();
        return new PoolMemory.KeptRegion(bytes, lines == null ? whole : whole.asSlice(0, bytes - region.dataBytes()));
    }

    /** Releases all pools and abandons the journal; nothing is served. */
    void abandon() {
        for (Known known : pools.values()) known.store.close();
        journal.abandon();
    }

    /** Ends the journal. It is marked as complete only if the node ended in order. */
    void close(boolean inOrder) {
        if (inOrder && lines != null) lines.force();
        if (inOrder) journal.close();
        else journal.abandon();
    }
}
