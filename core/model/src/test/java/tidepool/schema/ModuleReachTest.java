package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application in a module of its own, which opens its package to the codec, or does not. */
class ModuleReachTest {
    private static final String RECORDS = """
            package shop;
            import tidepool.schema.Key;
            public class Shop {
                record Order(@Key long id, int amount) {}
                public static java.lang.invoke.MethodHandles.Lookup lookup() {
                    return java.lang.invoke.MethodHandles.lookup();
                }
            }
            """;
    private static final String PUBLIC =
            "package shop; public record Open(@tidepool.schema.Key long id, int amount) {}";

    @TempDir
    Path folder;

    @Test
    void closedModuleIsToldWhatToWrite() throws Exception {
        Class<? extends Record> order =
                load("module shop.app { }", "shop.Shop$Order").asSubclass(Record.class);

        refused(() -> RecordCodec.of(order), "shop.Shop$Order", "opens shop", "shop.app", "MethodHandles.lookup()");
    }

    @Test
    void openPackageIsEnough() throws Exception {
        roundTrip(RecordCodec.of(
                load("module shop.app { opens shop; }", "shop.Shop$Order").asSubclass(Record.class)));
    }

    @Test
    void publicRecordInAnExportedPackageIsEnough() throws Exception {
        roundTrip(RecordCodec.of(
                load("module shop.app { exports shop; }", "shop.Open").asSubclass(Record.class)));
    }

    @Test
    void lookupOfTheApplicationIsEnough() throws Exception {
        Class<?> shop = load("module shop.app { exports shop; }", "shop.Shop");
        Class<? extends Record> order =
                Class.forName("shop.Shop$Order", false, shop.getClassLoader()).asSubclass(Record.class);
        var lookup = (MethodHandles.Lookup) shop.getMethod("lookup").invoke(null);

        roundTrip(RecordCodec.of(order, Schema.of(order), lookup));
        refused(
                () -> RecordCodec.of(order, Schema.of(order), MethodHandles.publicLookup()),
                "java.lang.Object",
                "shop.Shop$Order",
                "MethodHandles.lookup()");
    }

    private static <T extends Record> void roundTrip(RecordCodec<T> codec) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(8, 8);
            codec.schema().intField("amount").set(memory, 0, 42);
            T record = codec.decode(7, memory, 0);
            codec.schema().clear(memory, 0);
            codec.encode(record, memory, 0);

            assertEquals(42, codec.schema().intField("amount").get(memory, 0));
            assertEquals(7, codec.key(record));
        }
    }

    private Class<?> load(String module, String name) throws Exception {
        Map<String, String> sources =
                Map.of("module-info.java", module, "shop/Shop.java", RECORDS, "shop/Open.java", PUBLIC);
        Path classes = Compiled.into(folder, sources, "--add-reads", "shop.app=ALL-UNNAMED");
        ModuleLayer boot = ModuleLayer.boot();
        Configuration modules =
                boot.configuration().resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of("shop.app"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(modules, getClass().getClassLoader());
        return layer.findLoader("shop.app").loadClass(name);
    }
}
