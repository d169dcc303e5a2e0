package tidepool.tcp.node;

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
import tidepool.tcp.journal.Entry;
import tidepool.tcp.journal.Journal;
import tidepool.tcp.journal.JournalDisk;
import tidepool.tcp.journal.JournalException;
import tidepool.tcp.journal.PoolMemory;
import tidepool.tcp.journal.RegionFiles;

/** The journal of a node, and the pools that came out of it. The node's loop alone uses it. */
final class NodeJournal {
    /** The folder of the journal inside the node's. No pool in mapped files has a file of that name in it. */
    private static final String FOLDER = "journal";

    private static final String IDENTITY = "identity";

    /** Folders that are not those of pools. */
    private static final Set<String> OWN = Set.of(FOLDER, RegionFiles.FOLDER);

    /** A pool that the journal knows. */
    record Known(int number, String name, HostedPool.Place place, KeptStore store) {}

    private final Journal journal;
    private final Map<Integer, Known> pools;
    private final Map<Integer, MemoryNode> nodes = new TreeMap<>();
    private final Lines lines;

    private NodeJournal(Journal journal, Lines lines, Map<Integer, Known> pools) {
        this.journal = journal;
        this.lines = lines;
        this.pools = pools;
    }

    /** Whether a journal lies in a node's folder. */
    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FOLDER).resolve(IDENTITY));
    }

    /** Opens what is there, or begins it; throws with a sentence if it is not to be served. */
    static NodeJournal open(
            Path folder,
            NodeOptions options,
            MemoryBudget budget,
            Consumer<Runnable> whenNobodyLooks,
            Runnable progress) {
        refuseMapped(folder, options);
        RecoveredPools recovered = null;
        Journal journal = null;
        boolean opened = false;
        try {
            Path at = OwnerOnly.folder(folder.resolve(FOLDER));
            JournalDisk disk = options.journal().disks().apply(at);
            LinesChoice choice = LinesChoice.of(folder, disk, options.journal());
            Lines lines = choice.lines();
            recovered = new RecoveredPools(lines, budget, whenNobodyLooks);
            journal = Journal.open(disk, choice.options(), recovered, Ids.secure(), progress);
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

    /** Pools in mapped files have no journal, and would look like none at all. */
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

    /** Null if the journal has the data of regions. */
    Lines lines() {
        return lines;
    }

    private boolean isLive(int pool, int region) {
        Known known = pools.get(pool);
        if (known == null) return false;
        MemorySegment meta = known.store.meta();
        return region < Words.plain(meta, NodeLayout.REGION_COUNT)
                && NodeLayout.isLive(Words.plain(meta, NodeLayout.region(region) + NodeLayout.REGION_STATE));
    }

    /** The memory of the pool that comes next. */
    KeptStore nextStore(MemoryBudget budget, Consumer<Runnable> whenNobodyLooks) {
        return lines == null
                ? new NativeStore(budget, whenNobodyLooks)
                : new LinesStore(pools.size(), lines, budget, whenNobodyLooks);
    }

    Iterable<Known> pools() {
        return pools.values();
    }

    /** A new pool; there is room for it. */
    Known add(String name, HostedPool.Place place, KeptStore store) {
        int number = pools.size();
        if (number == Entry.POOLS)
            throw FabricException.unavailable("a node with a journal has at most " + Entry.POOLS + " pools");
        Known known = new Known(number, name, place, store);
        pools.put(number, known);
        journal.pool(number, name, place.id(), place.number(), place.nodes(), store.meta());
        return known;
    }

    /** What it is told to; the pool's memory is what the node has from now on. */
    PoolJournal of(Known known, MemoryNode node) {
        nodes.put(known.number, node);
        return new PoolJournal(this, known.number, node.meta());
    }

    /** The node has another place in the pool than before. */
    void placed(int number, HostedPool.Place place) {
        Known known = pools.get(number);
        if (known.place.equals(place)) return;
        pools.put(number, new Known(number, known.name, place, known.store));
        journal.placed(number, known.name, place.id(), place.number(), place.nodes());
    }

    /** The end of a turn of the loop. */
    void turn(boolean quiet) {
        journal.turn(quiet, this::memory);
    }

    private List<PoolMemory> memory() {
        List<PoolMemory> all = new ArrayList<>();
        for (Known known : pools.values()) {
            MemoryNode node = nodes.get(known.number);
            Map<Integer, PoolMemory.Region> regions = new TreeMap<>();
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

    private PoolMemory.Region kept(NodeRegion region) {
        MemorySegment whole = region.whole();
        long bytes = whole.byteSize();
        return new PoolMemory.Region(bytes, lines == null ? whole : whole.asSlice(0, bytes - region.dataBytes()));
    }

    /** Nothing of it is served. */
    void abandon() {
        for (Known known : pools.values()) known.store.close();
        journal.abandon();
    }

    /** Writes what is left; says that nothing is missing only if that is so. */
    void close(boolean inOrder) {
        if (inOrder && lines != null) lines.force();
        if (inOrder) journal.close();
        else journal.abandon();
    }
}
