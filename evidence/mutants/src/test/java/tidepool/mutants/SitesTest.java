package tidepool.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Mutants are as described, the verifier accepts them all, and a seed draws the same mutants again. */
class SitesTest {
    private static final String NAME = "tidepool/mutants/MutatedSample";
    private final Sites sites = new Sites(SitesTest.class.getClassLoader());

    @Test
    void everyKindOfChangeLoads() throws Exception {
        Set<Mutation> kinds = EnumSet.noneOf(Mutation.class);
        for (String name :
                List.of(NAME, "tidepool/mutants/Sites", "tidepool/mutants/TestTimes", "tidepool/mutants/MutationPlan"))
            for (Mutant mutant : sites.of(bytes(name))) {
                kinds.add(mutant.mutation());
                Class<?> changed = load(name, sites.changed(bytes(name), mutant));
                assertTrue(changed.getDeclaredMethods().length > 0, mutant.toString());
            }

        assertEquals(EnumSet.complementOf(EnumSet.of(Mutation.INCREMENT)), withoutIncrement(kinds));
    }

    private static Set<Mutation> withoutIncrement(Set<Mutation> kinds) {
        Set<Mutation> others = EnumSet.copyOf(kinds);
        others.remove(Mutation.INCREMENT);
        return others;
    }

    @Test
    void aChangeDoesWhatItSays() throws Exception {
        assertEquals(3, call("larger", Mutation.NEGATE, 3, 5));
        assertEquals(5, call("larger", Mutation.BOUNDARY, 3, 5));
        assertEquals(6, call("larger", Mutation.RETURN, 3, 5));
        assertEquals(0, call("tellTwice", Mutation.DROP_CALL));
        assertEquals(3, call("tellTwice", Mutation.CONSTANT));
        assertEquals(false, call("isEven", Mutation.RETURN, 4));
        assertEquals(1, call("alone", Mutation.OPERATOR, 8));
        assertEquals(null, call("name", Mutation.RETURN));
    }

    @Test
    void aMutantNamesFileLineAndMethod() throws Exception {
        Mutant mutant = mutant("alone", Mutation.OPERATOR);

        assertTrue(mutant.place().matches("tidepool/mutants/MutatedSample\\.java:\\d+"), mutant.place());
        assertTrue(mutant.toString().endsWith(" alone: IADD replaced by ISUB"), mutant.toString());
    }

    /** The compiler generates accessors and {@code equals}, and most accessors only report. */
    @Test
    void generatedMethodsOfRecordsAreLeftAlone() throws Exception {
        List<String> methods = sites.of(bytes("tidepool/mutants/Mutant")).stream()
                .map(Mutant::methodName)
                .toList();

        assertTrue(methods.contains("place"), methods.toString());
        assertFalse(methods.contains("line"), methods.toString());
        assertFalse(methods.contains("equals"), methods.toString());
    }

    /** The compiler numbers the constants of an enum. The numbers that they are given otherwise are changed. */
    @Test
    void ordinalsAreLeftAlone() throws Exception {
        List<Mutant> mutants = sites.of(bytes("tidepool/mutants/SitesTest$Sized"));

        List<String> constants = mutants.stream()
                .filter(mutant -> mutant.methodName().equals("<clinit>") && mutant.mutation() == Mutation.CONSTANT)
                .map(Mutant::what)
                .toList();
        assertEquals(List.of("7 replaced by 8", "9 replaced by 10"), constants);
        assertTrue(mutants.stream().anyMatch(mutant -> mutant.methodName().equals("bytes")), mutants.toString());
        assertTrue(mutants.stream().noneMatch(mutant -> mutant.methodName().startsWith("value")), mutants.toString());
    }

    /** An enum whose constants have a number of their own. */
    enum Sized {
        FIRST(7),
        SECOND(9);

        private final int size;

        Sized(int size) {
            this.size = size;
        }

        int bytes() {
            return 8 * size;
        }
    }

    @Test
    void theSameSeedDrawsTheSameMutants() throws Exception {
        Map<String, byte[]> classes = Map.of(NAME, bytes(NAME));
        Pattern all = Pattern.compile("");

        List<Mutant> drawn = MutationPlan.draw(classes, sites, all, 7, 10);

        assertEquals(drawn, MutationPlan.draw(classes, sites, all, 7, 10));
        assertNotEquals(drawn, MutationPlan.draw(classes, sites, all, 8, 10));
        assertEquals(10, Set.copyOf(drawn).size());
        assertEquals(List.of(), MutationPlan.draw(classes, sites, Pattern.compile("Elsewhere"), 7, 10));
        assertEquals(
                sites.of(bytes(NAME)).size(),
                MutationPlan.draw(classes, sites, all, 7, 100_000).size());
    }

    @Test
    void aTracedClassTellsWhichMethodsWereEntered() throws Exception {
        List<String> methods = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        Class<?> traced = load(NAME, sites.traced(bytes(NAME), (method, number) -> {
            methods.add(method);
            numbers.add(number);
        }));
        MethodCoverage.take();

        invoke(traced, "isEven", 4);

        List<String> entered = MethodCoverage.take().stream()
                .mapToObj(number -> methods.get(numbers.indexOf(number)))
                .toList();
        assertEquals(List.of(NAME + ".isEven(I)Z"), entered);
    }

    // ---- helpers

    private Object call(String method, Mutation mutation, Object... arguments) throws Exception {
        Mutant mutant = mutant(method, mutation);
        return invoke(load(NAME, sites.changed(bytes(NAME), mutant)), method, arguments);
    }

    private Mutant mutant(String method, Mutation mutation) throws IOException {
        return sites.of(bytes(NAME)).stream()
                .filter(each -> each.methodName().equals(method) && each.mutation() == mutation)
                .findFirst()
                .orElseThrow();
    }

    private static Object invoke(Class<?> in, String name, Object... arguments) throws ReflectiveOperationException {
        for (Method method : in.getDeclaredMethods())
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method.invoke(null, arguments);
            }
        throw new NoSuchMethodException(name);
    }

    /** Loads a class in a loader of its own, which finds all other classes by its parent. */
    private static Class<?> load(String name, byte[] bytes) throws ReflectiveOperationException {
        String loaded = name.replace('/', '.');
        ClassLoader loader = new ClassLoader(SitesTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
                if (!wanted.equals(loaded)) return super.loadClass(wanted, resolve);
                Class<?> already = findLoadedClass(wanted);
                return already != null ? already : defineClass(wanted, bytes, 0, bytes.length);
            }
        };
        return Class.forName(loaded, true, loader);
    }

    static byte[] bytes(String name) throws IOException {
        try (InputStream in = SitesTest.class.getResourceAsStream("/" + name + ".class")) {
            return in.readAllBytes();
        }
    }
}
