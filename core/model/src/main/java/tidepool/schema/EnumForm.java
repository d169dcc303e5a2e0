package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** The form of an enum: the place of the constant's name among all names, sorted. */
final class EnumForm extends Form {
    private final Enum<?>[] byCode;
    private final int[] codes; // by ordinal

    EnumForm(String name, Class<?> enumClass) {
        super(name, AttributeType.enumOf(names(enumClass)));
        Object[] constants = enumClass.getEnumConstants();
        List<String> sorted = type.constants();
        byCode = new Enum<?>[constants.length];
        codes = new int[constants.length];
        for (Object each : constants) {
            Enum<?> constant = (Enum<?>) each;
            int code = sorted.indexOf(constant.name());
            byCode[code] = constant;
            codes[constant.ordinal()] = code;
        }
    }

    private static List<String> names(Class<?> enumClass) {
        return Arrays.stream(enumClass.getEnumConstants())
                .map(each -> ((Enum<?>) each).name())
                .toList();
    }

    @Override
    void write(Object value, MemorySegment memory, long at) {
        putCode(type, memory, at, codes[((Enum<?>) required(value)).ordinal()]);
    }

    @Override
    Object read(MemorySegment memory, long at) {
        int code = isShort(type) ? Unaligned.getByte(memory, at) : Unaligned.getCount(memory, at);
        if (code < byCode.length) return byCode[code];
        throw new MisfitException("attribute '" + name + "' holds constant " + code + ", beyond the " + byCode.length
                + " of its enum: the table has got more constants, or the value is damaged");
    }

    static void putCode(AttributeType type, MemorySegment memory, long at, int code) {
        if (isShort(type)) Unaligned.putByte(memory, at, code);
        else Unaligned.putCount(memory, at, code);
    }

    static int code(AttributeType type, MemorySegment memory, long at, String name) {
        int code = isShort(type) ? Unaligned.getByte(memory, at) : Unaligned.getCount(memory, at);
        if (code >= type.constants().size())
            throw LeafForm.damaged(
                    name,
                    "constant " + code + ", beyond the " + type.constants().size() + " of its enum");
        return code;
    }

    private static boolean isShort(AttributeType type) {
        return type.constants().size() <= 256;
    }
}
