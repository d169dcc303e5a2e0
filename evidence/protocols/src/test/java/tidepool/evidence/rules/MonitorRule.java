package tidepool.evidence.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds calls inside monitors that may end in a wait of a strand. It reads class files: a virtual call may go to each
 * override in the classes read, and a lambda counts as called where it is made. Calls through interfaces of the JDK
 * lead nowhere else.
 */
final class MonitorRule {
    /** The methods in which a strand gives its carrier away. */
    private static final Set<String> WAITS = Set.of(
            "tidepool/base/Strand.park",
            "tidepool/base/Strand.giveWay",
            "tidepool/base/Waiting.pause",
            "tidepool/base/Coroutine.yield");

    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<String, Set<String>> subtypes = new HashMap<>();
    private final Map<String, List<MethodCalls.Call>> calls = new HashMap<>();

    /** Reads all classes below a folder. */
    MonitorRule read(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".class")).forEach(this::readClass);
        }
        return this;
    }

    private void readClass(Path file) {
        try {
            add(ClassFile.of().parse(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void add(ClassModel read) {
        String name = read.thisClass().asInternalName();
        classes.put(name, read);
        read.superclass().ifPresent(above -> subtype(above, name));
        for (ClassEntry above : read.interfaces()) subtype(above, name);
    }

    private void subtype(ClassEntry above, String name) {
        subtypes.computeIfAbsent(above.asInternalName(), _ -> new HashSet<>()).add(name);
    }

    /** Returns the number of classes read. */
    int size() {
        return classes.size();
    }

    /** Returns a line per call inside a monitor that may wait: method, call, and the way to the wait. */
    Collection<String> offences() {
        for (ClassModel read : classes.values())
            for (MethodModel method : read.methods()) calls.put(name(read, method), MethodCalls.of(method));
        Map<String, String> next = waysToWaits();
        Set<String> found = new TreeSet<>();
        calls.forEach((caller, made) -> {
            for (MethodCalls.Call call : made)
                if (call.insideMonitor())
                    for (String target : targets(call))
                        if (next.containsKey(target)) found.add(caller + " holds a monitor: " + way(target, next));
        });
        return found;
    }

    private static String name(ClassModel read, MethodModel method) {
        return read.thisClass().asInternalName() + "." + method.methodName().stringValue()
                + method.methodType().stringValue();
    }

    /** Returns each method that may wait, with the method that it calls on the shortest way there. */
    private Map<String, String> waysToWaits() {
        Map<String, List<String>> callers = new HashMap<>();
        calls.forEach((caller, made) -> {
            for (MethodCalls.Call call : made)
                for (String target : targets(call))
                    callers.computeIfAbsent(target, _ -> new ArrayList<>()).add(caller);
        });
        Map<String, String> next = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        for (String method : calls.keySet())
            if (WAITS.contains(method.substring(0, method.indexOf('(')))) {
                next.put(method, "");
                open.add(method);
            }
        while (!open.isEmpty()) {
            String reached = open.remove();
            for (String caller : callers.getOrDefault(reached, List.of()))
                if (next.putIfAbsent(caller, reached) == null) open.add(caller);
        }
        return next;
    }

    private static String way(String from, Map<String, String> next) {
        StringBuilder way = new StringBuilder();
        for (String at = from; !at.isEmpty(); at = next.get(at))
            way.append(way.isEmpty() ? "" : " -> ").append(at, 0, at.indexOf('('));
        return way.toString();
    }

    /** Returns the methods that a call may run: the one named, or the one inherited, and all overrides. */
    private Set<String> targets(MethodCalls.Call call) {
        Set<String> targets = new HashSet<>();
        if (!classes.containsKey(call.owner())) return targets;
        inherited(call.owner(), call.method(), targets);
        if (call.isVirtual()) overrides(call.owner(), call.method(), targets);
        return targets;
    }

    private void inherited(String owner, String method, Set<String> targets) {
        ClassModel read = classes.get(owner);
        if (read == null) return;
        if (calls.containsKey(owner + "." + method)) targets.add(owner + "." + method);
        else {
            read.superclass().ifPresent(above -> inherited(above.asInternalName(), method, targets));
            for (ClassEntry above : read.interfaces()) inherited(above.asInternalName(), method, targets);
        }
    }

    private void overrides(String owner, String method, Set<String> targets) {
        for (String below : subtypes.getOrDefault(owner, Set.of())) {
            if (calls.containsKey(below + "." + method)) targets.add(below + "." + method);
            overrides(below, method, targets);
        }
    }
}
