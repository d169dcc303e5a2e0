package tidepool.fuzz;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All targets by name. */
final class FuzzTargets {
    private static final Map<String, Supplier<FuzzTarget>> ALL = new TreeMap<>(Map.of(
            "frames", FramesTarget::new,
            "handshake", HandshakeTarget::new,
            "credentials", CredentialsTarget::new,
            "url", UrlTarget::new,
            "region", RegionTarget::new,
            "node", NodeTarget::new,
            "journal", JournalTarget::new,
            "log", LogTarget::new));

    private FuzzTargets() {}

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** Returns a new target; null if there is none of this name. */
    static FuzzTarget make(String name) {
        Supplier<FuzzTarget> maker = ALL.get(name);
        return maker == null ? null : maker.get();
    }
}
