package tidepool.evidence.litmus;

import java.util.function.Supplier;
import tidepool.protocol.Protocol;

/**
 * Protocols by name, so that another process can make an equal one. A name is CLASS, or ENUM#CONSTANT of a supplier, or
 * the name in a pool URL, with switches ({@code ford?reads=backup}). The prefix {@value #NEAR_THE_END} wraps it in
 * {@link NearTheEnd}, {@value #COMES_ROUND} in {@link ComesRound}.
 */
final class NamedProtocols {
    static final String NEAR_THE_END = "near-the-end:";

    static final String COMES_ROUND = "comes-round:";

    private NamedProtocols() {}

    static String name(Class<? extends Protocol> type) {
        return type.getName();
    }

    static <E extends Enum<E> & Supplier<Protocol>> String name(E supplier) {
        return supplier.getDeclaringClass().getName() + "#" + supplier.name();
    }

    static Protocol named(String name) {
        if (name.startsWith(NEAR_THE_END)) return new NearTheEnd(named(name.substring(NEAR_THE_END.length())));
        if (name.startsWith(COMES_ROUND)) return new ComesRound(named(name.substring(COMES_ROUND.length())));
        if (name.indexOf('.') < 0) return tidepool.protocol.Protocols.named(name);
        int at = name.indexOf('#');
        try {
            if (at < 0)
                return (Protocol) Class.forName(name).getDeclaredConstructor().newInstance();
            for (Object constant : Class.forName(name.substring(0, at)).getEnumConstants())
                if (((Enum<?>) constant).name().equals(name.substring(at + 1)))
                    return (Protocol) ((Supplier<?>) constant).get();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException("not a protocol: " + name, e);
        }
        throw new IllegalArgumentException("not a protocol: " + name);
    }
}
