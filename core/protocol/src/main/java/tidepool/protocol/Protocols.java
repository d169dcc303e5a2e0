package tidepool.protocol;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.drtmh.Drtmh;
import tidepool.protocol.drtmh.DrtmhOptions;
import tidepool.protocol.farm.Farm;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.protocol.farmv2.FarmV2Options;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.fordlv.FordLv;
import tidepool.protocol.fordlv.FordLvOptions;
import tidepool.protocol.hdtx.Hdtx;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorOptions;
import tidepool.store.PoolOptions;

/** The protocols that come with Tidepool, by name. */
public final class Protocols {
    /** @param switches the parameters of a pool URL that this protocol understands */
    private record Entry(String name, List<String> switches, Function<FabricUrl, Protocol> maker) {}

    private static final List<Entry> ALL = List.of(
            new Entry("ford", FordOptions.NAMES, url -> new Ford(FordOptions.of(url))),
            new Entry("ford-lv", FordLvOptions.NAMES, url -> new FordLv(FordLvOptions.of(url))),
            new Entry("farm", List.of(), url -> new Farm()),
            new Entry("farmv2", FarmV2Options.NAMES, url -> new FarmV2(FarmV2Options.of(url))),
            new Entry("motor", MotorOptions.NAMES, url -> new Motor(MotorOptions.of(url))),
            new Entry("drtmh", DrtmhOptions.NAMES, url -> new Drtmh(DrtmhOptions.of(url))),
            new Entry("hdtx", HdtxOptions.NAMES, url -> new Hdtx(HdtxOptions.of(url))),
            new Entry("hdtx-published", HdtxOptions.PUBLISHED_NAMES, url -> new Hdtx(HdtxOptions.published(url))));

    private Protocols() {}

    /** Returns the protocol that a pool URL asks for, with its switches: {@code ?protocol=ford&reads=backup}. */
    public static Protocol of(FabricUrl url) {
        return make(url, parameters());
    }

    /** Returns the protocol of a name, which switches may follow: {@code ford?reads=backup&undo=parallel}. */
    public static Protocol named(String text) {
        FabricUrl url = FabricUrl.parse("mem:?protocol=" + text.replace('?', '&'));
        Set<String> switches = new TreeSet<>(url.parameters().keySet());
        switches.remove("protocol");
        // Error messages quote the text as it was written.
        return make(new FabricUrl(url.scheme(), url.target(), url.parameters(), text), switches);
    }

    /** @param switches the parameters that are taken as switches; one that the protocol does not have is refused */
    private static Protocol make(FabricUrl url, Set<String> switches) {
        String name = url.string("protocol", ALL.getFirst().name());
        for (Entry entry : ALL) if (entry.name().equals(name)) return make(entry, url, switches);
        throw new IllegalArgumentException("unknown protocol '" + name + "'; known: " + String.join(", ", names()));
    }

    private static Protocol make(Entry entry, FabricUrl url, Set<String> switches) {
        for (String parameter : switches)
            if (url.has(parameter) && !entry.switches().contains(parameter))
                throw new IllegalArgumentException("protocol " + entry.name() + " has no switch '" + parameter
                        + "'; it has " + (entry.switches().isEmpty() ? "none" : String.join(", ", entry.switches())));
        return entry.maker().apply(url);
    }

    /** Returns the switches of the protocol that a pool URL asks for. */
    public static List<String> switches(FabricUrl url) {
        String name = url.string("protocol", ALL.getFirst().name());
        for (Entry entry : ALL) if (entry.name().equals(name)) return entry.switches();
        return List.of();
    }

    public static List<String> names() {
        return ALL.stream().map(Entry::name).toList();
    }

    /** Returns every switch of every protocol: the parameters of a pool URL that belong to protocols. */
    public static Set<String> parameters() {
        Set<String> all = new TreeSet<>();
        for (Entry entry : ALL) all.addAll(entry.switches());
        return all;
    }

    /**
     * Returns the switches that no pool option has. They concern only the session that runs transactions; other
     * sessions of the pool may use other values.
     */
    public static Set<String> ownParameters() {
        Set<String> own = parameters();
        own.removeAll(PoolOptions.NAMES);
        return own;
    }
}
