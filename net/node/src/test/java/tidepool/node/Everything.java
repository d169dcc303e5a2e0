package tidepool.node;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The text that objects of Tidepool print of themselves and of all objects reachable from them. A careless log line, a
 * debugger or a record's own {@code toString} would show this text.
 */
final class Everything {
    private static final int MAX_SEEN = 200_000;

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> waiting = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();

    private Everything() {}

    static String of(Collection<?> roots) throws IllegalAccessException {
        Everything all = new Everything();
        roots.forEach(all::reach);
        while (!all.waiting.isEmpty() && all.seen.size() < MAX_SEEN) {
            Object next = all.waiting.poll();
            try {
                all.print(next);
            } catch (ConcurrentModificationException e) {
                all.waiting.add(next); // the node runs meanwhile and has changed it
            }
        }
        return all.text.toString();
    }

    private void reach(Object object) {
        if (object != null && seen.add(object)) waiting.add(object);
    }

    private void print(Object object) throws IllegalAccessException {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            if (!type.getComponentType().isPrimitive())
                for (int i = 0; i < Array.getLength(object); i++) reach(Array.get(object, i));
        } else if (object instanceof Iterable<?> many && type.getName().startsWith("java.util.")) {
            many.forEach(this::reach);
        } else if (object instanceof Map<?, ?> map) {
            map.keySet().forEach(this::reach);
            map.values().forEach(this::reach);
        } else if (type.getName().startsWith("tidepool.")) {
            text.append(object).append('\n');
            fields(object, type);
        }
    }

    private void fields(Object object, Class<?> type) throws IllegalAccessException {
        for (Class<?> now = type; now != null && now.getName().startsWith("tidepool."); now = now.getSuperclass()) {
            for (Field field : now.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) continue;
                field.setAccessible(true);
                Object value = field.get(object);
                if (value instanceof String string) text.append(string).append('\n');
                else reach(value);
            }
        }
    }
}
