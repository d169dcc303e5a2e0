package tidepool.evidence.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidepool.protocol.ForwardingTxn;
import tidepool.testkit.SourceTree;
import tidepool.txn.Txn;

/**
 * A transaction that gives accesses other numbers has to translate them in every method that takes one. A method that
 * it inherits from {@link ForwardingTxn} would pass the number on, and the protocol would answer for another access.
 */
class AccessNumberRuleTest {
    private static final String FORWARDING = ForwardingTxn.class.getName().replace('.', '/');

    private static final Set<String> NUMBERED = Arrays.stream(Txn.class.getMethods())
            .filter(method -> Modifier.isAbstract(method.getModifiers()))
            .filter(method -> method.getParameterCount() == 1 && method.getParameterTypes()[0] == int.class)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    private final Map<String, ClassModel> classes = new HashMap<>();

    @Test
    void aTransactionTranslatesTheNumberInEveryMethodOrInNone() throws IOException {
        assertTrue(NUMBERED.containsAll(List.of("value", "version", "bucketVersion", "bucket")), NUMBERED.toString());
        for (Path module : SourceTree.modules()) read(module.resolve("target/classes"));
        Set<String> translating = new TreeSet<>();
        for (String name : classes.keySet()) if (!overridden(name).isEmpty()) translating.add(name);
        assertTrue(translating.contains("tidepool/MigratingTxn"), translating.toString());
        for (String name : translating) assertEquals(NUMBERED, overridden(name), name);
    }

    /** The rule finds a class that translates some numbers. */
    @Test
    void aForgottenMethodIsFound() throws IOException {
        String file =
                Forgets.class.getName().substring(getClass().getPackageName().length() + 1) + ".class";
        try (var bytes = getClass().getResourceAsStream(file)) {
            add(ClassFile.of().parse(bytes.readAllBytes()));
        }
        assertEquals(Set.of("value"), overridden(classes.keySet().iterator().next()));
    }

    private void read(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) return;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList())
                add(ClassFile.of().parse(file));
        }
    }

    private void add(ClassModel read) {
        classes.put(read.thisClass().asInternalName(), read);
    }

    /** Returns the methods that a subclass of ForwardingTxn overrides, of those that take the number of an access. */
    private Set<String> overridden(String name) {
        Set<String> own = new HashSet<>();
        for (ClassModel type = classes.get(name); type != null; ) {
            String above = type.superclass().map(each -> each.asInternalName()).orElse("");
            type.methods().stream()
                    .filter(method -> method.methodType().stringValue().startsWith("(I)"))
                    .map(method -> method.methodName().stringValue())
                    .filter(NUMBERED::contains)
                    .forEach(own::add);
            if (above.equals(FORWARDING)) return own;
            type = classes.get(above);
        }
        return Set.of();
    }

    /** Never run: only read by the rule. */
    static class Forgets extends ForwardingTxn {
        @Override
        public long value(int access) {
            return inner.value(access - 1);
        }
    }
}
