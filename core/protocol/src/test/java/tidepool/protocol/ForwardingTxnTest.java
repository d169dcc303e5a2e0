package tidepool.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.schema.RowKey;
import tidepool.txn.Txn;

/** A transaction that forwards makes the same call with the same arguments, and returns what it was told. */
class ForwardingTxnTest {
    /** A call that arrived. */
    private record Call(Method method, Object[] arguments) {}

    private final List<Call> calls = new ArrayList<>();
    private Object answer;

    @Test
    void everyCallIsForwarded() throws ReflectiveOperationException {
        Txn inner = (Txn) Proxy.newProxyInstance(
                Txn.class.getClassLoader(),
                new Class<?>[] {Txn.class},
                (Object _, Method method, Object[] arguments) -> {
                    calls.add(new Call(method, arguments));
                    return answer;
                });
        ForwardingTxn txn = new ForwardingTxn() {};
        txn.forwardTo(inner);
        int methods = 0;
        for (Method method : Txn.class.getMethods()) {
            if (!Modifier.isAbstract(method.getModifiers())) continue;
            methods++;
            for (int round = 0; round < 2; round++) {
                calls.clear();
                answer = value(method.getReturnType(), round);
                Object[] arguments = new Object[method.getParameterCount()];
                for (int i = 0; i < arguments.length; i++) arguments[i] = value(method.getParameterTypes()[i], i + 2);

                assertEquals(answer, invoked(method, txn, arguments), method.toString());
                assertEquals(1, calls.size(), method.toString());
                assertEquals(method, calls.getFirst().method);
                assertArrayEquals(
                        arguments, calls.getFirst().arguments == null ? new Object[0] : calls.getFirst().arguments);
            }
        }
        assertTrue(methods > 20, methods + " methods");
    }

    private static Object invoked(Method method, Txn txn, Object[] arguments) throws ReflectiveOperationException {
        try {
            return method.invoke(txn, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(method.toString(), e.getCause());
        }
    }

    /** Returns a value of a type; equal numbers give equal values. */
    private static Object value(Class<?> type, int number) {
        if (type == int.class) return 1_000 + number;
        if (type == long.class) return 1_000L + number;
        if (type == boolean.class) return number % 2 == 0;
        if (type == String.class) return "value " + number;
        if (type == MemorySegment.class) return MemorySegment.ofArray(new long[1 + number]);
        if (type.isEnum()) return type.getEnumConstants()[number % type.getEnumConstants().length];
        if (type == RowKey.class || !type.isInterface()) return null;
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (Object proxy, Method method, Object[] arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> number;
                    default -> null;
                });
    }
}
