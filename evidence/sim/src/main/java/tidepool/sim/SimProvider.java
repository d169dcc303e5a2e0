package tidepool.sim;

import java.util.List;
import java.util.TreeSet;
import tidepool.fabric.FabricProvider;
import tidepool.fabric.FabricUrl;
import tidepool.memory.Handlers;

/** The provider of {@code sim:SEED?nodes=3&profile=cx5&adversary=on}. Each pool has a simulation of its own. */
public final class SimProvider implements FabricProvider {
    /** Found by {@link java.util.ServiceLoader}. */
    public SimProvider() {}

    @Override
    public String scheme() {
        return "sim";
    }

    @Override
    public SimFabric open(FabricUrl url) {
        url.allow(new TreeSet<>(List.of("nodes", "profile", "adversary", "handlers")));
        Handlers handlers = url.flag("handlers", true) ? new Handlers() : Handlers.off();
        return new SimFabric(
                new Simulation(seed(url)),
                url.integer("nodes", 3, 1, 64),
                CostProfile.named(url.string("profile", "cx5")),
                Adversary.named(url.string("adversary", "none")),
                handlers);
    }

    /** Parses a seed: decimal, or hexadecimal after 0x, as failures print it. */
    private static long seed(FabricUrl url) {
        String text = url.target();
        try {
            if (text.isEmpty()) return 1;
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "a seed is a number such as 42 or 0x5eed, not '" + text + "': " + url.text(), e);
        }
    }
}
