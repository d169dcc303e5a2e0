package tidepool.workload.measured.tpcc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import tidepool.txn.Txn;

/** Counts the calls of a transaction. */
final class CountedTxn {
    private static final List<String> ACCESSES = List.of("read", "update", "insert", "put", "delete");

    private static final List<String> EXECUTES = List.of("execute", "scan");

    /** Calls that wait for the memory nodes. */
    int executes;

    /** Different records that were declared. */
    int accesses;

    /** The transaction that hands everything on to this one. */
    Txn of(Txn inner) {
        executes = 0;
        accesses = 0;
        return (Txn) Proxy.newProxyInstance(
                Txn.class.getClassLoader(), new Class<?>[] {Txn.class}, (_, method, arguments) -> {
                    try {
                        Object answer = method.invoke(inner, arguments);
                        if (EXECUTES.contains(method.getName())) executes++;
                        if (ACCESSES.contains(method.getName())) accesses = Math.max(accesses, (int) answer + 1);
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
