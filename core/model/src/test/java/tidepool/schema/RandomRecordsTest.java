package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.schema.AttributeType.Kind;

/** Record classes from a seed, compiled during the test: every pair of types, the key anywhere, up to the limits. */
class RandomRecordsTest {
    private static final int CLASSES = 16;

    @TempDir
    Path folder;

    @Test
    void randomRecordsComeBackAsTheyWere() throws Exception {
        Map<String, String> sources = new TreeMap<>();
        for (int seed = 0; seed < CLASSES; seed++) sources.put("R" + seed + ".java", source(seed));
        Path classes = Compiled.into(folder, sources);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            for (int seed = 0; seed < CLASSES; seed++)
                roundTrips(seed, loader.loadClass("R" + seed).asSubclass(Record.class));
        }
    }

    /** The maximum: a method handle must still be able to carry 64 attributes of two slots each. */
    @Test
    void widestRecordComesBackAsItWas() throws Exception {
        String components = IntStream.range(0, Schema.MAX_ATTRIBUTES)
                .mapToObj(i -> (i % 2 == 0 ? "long" : "double") + " a" + i)
                .collect(Collectors.joining(", "));
        String source = "import tidepool.schema.Key; record Widest(" + components + ", @Key long id) {}";
        Path classes = Compiled.into(folder, Map.of("Widest.java", source));
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            roundTrips(99, loader.loadClass("Widest").asSubclass(Record.class));
        }
    }

    private static String source(long seed) {
        RandomSchemas random = new RandomSchemas(seed);
        Schema schema = random.schema(seed % 3 == 0 ? 60 : 8);
        Stream<String> attributes = schema.attributes().stream().map(each -> component(each.number(), each.type()));
        Stream<String> key = Stream.of("@Key " + (seed % 2 == 0 ? "long" : "int") + " id");
        String components =
                String.join(", ", random.shuffled(Stream.concat(key, attributes).toList()));
        return "import tidepool.schema.*; record R" + seed + "(" + components + ") {}";
    }

    private static String component(int number, AttributeType type) {
        Kind kind = type.kind();
        String length = kind.hasLength() ? "@Length(" + type.bytes() + ") " : "";
        return length + kind.javaType().getSimpleName() + " a" + number;
    }

    private static <T extends Record> void roundTrips(long seed, Class<T> type) throws Exception {
        RecordCodec<T> codec = RecordCodec.of(type);
        RandomSchemas random = new RandomSchemas(seed);
        try (Arena arena = Arena.ofConfined()) {
            int length = codec.schema().length();
            MemorySegment first = arena.allocate(length + 16, 8);
            MemorySegment second = arena.allocate(length + 16, 8).fill((byte) 0x5a);
            for (int round = 0; round < 50; round++) {
                T record = random(type, random, codec.schema());
                codec.encode(record, first, 8);
                T again = codec.decode(codec.key(record), first, 8);
                codec.encode(again, second, 8);

                String where = "seed " + seed + ", round " + round;
                assertSame(record, again, where);
                assertEquals(-1, first.asSlice(8, length).mismatch(second.asSlice(8, length)), where);
                assertEquals(0x5a, second.get(ValueLayout.JAVA_BYTE, 7), where);
                assertEquals(0x5a, second.get(ValueLayout.JAVA_BYTE, 8 + length), where);
            }
        }
    }

    private static <T extends Record> T random(Class<T> type, RandomSchemas random, Schema schema) throws Exception {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            RecordComponent each = components[i];
            if (!each.isAnnotationPresent(Key.class))
                values[i] = random.value(schema.attribute(each.getName()).type());
            else values[i] = each.getType() == int.class ? (Object) (int) random.key() : (Object) random.key();
        }
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    /** Compares like equals, but arrays by content; boxed floats compare by their bits, NaN to NaN. */
    private static void assertSame(Record expected, Record actual, String where) throws Exception {
        assertTrue(expected.getClass() == actual.getClass());
        for (RecordComponent each : expected.getClass().getRecordComponents()) {
            each.getAccessor().setAccessible(true);
            Object wanted = each.getAccessor().invoke(expected);
            Object found = each.getAccessor().invoke(actual);
            if (wanted instanceof byte[] bytes) assertArrayEquals(bytes, (byte[]) found, where + ": " + each);
            else assertEquals(wanted, found, where + ": " + each);
        }
    }
}
