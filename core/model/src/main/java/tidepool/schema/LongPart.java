package tidepool.schema;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidepool.schema.RecordParts.Part;

/** The way from a record to one of its long contents, perhaps through nested records, of which any may be absent. */
final class LongPart {
    private static final MethodType GET = MethodType.methodType(Object.class, Object.class);

    private final MethodHandle[] accessors;
    private final LongForm form;
    private final ContentField field;

    private LongPart(List<MethodHandle> accessors, LongForm form, ContentField field) {
        this.accessors = accessors.toArray(MethodHandle[]::new);
        this.form = form;
        this.field = field;
    }

    /** Returns those of a record class, in the order of {@link Schema#contents}. */
    static List<LongPart> of(RecordParts parts, Schema schema, MethodHandles.Lookup lookup)
            throws IllegalAccessException {
        List<LongPart> found = new ArrayList<>();
        add(parts, schema, List.of(), lookup, found);
        return List.copyOf(found);
    }

    private static void add(
            RecordParts parts,
            Schema schema,
            List<MethodHandle> before,
            MethodHandles.Lookup lookup,
            List<LongPart> found)
            throws IllegalAccessException {
        for (Part each : parts.parts) {
            LongForm form = each.form == null ? null : each.form.whereLong();
            if (form == null && each.nested == null) continue;
            List<MethodHandle> path = new ArrayList<>(before);
            path.add(lookup.unreflect(each.component.getAccessor()).asType(GET));
            if (form != null) found.add(new LongPart(path, form, schema.contentField(each.path)));
            else add(each.nested, schema, path, RecordParts.reach(each.nested.type, lookup), found);
        }
    }

    ContentField field() {
        return field;
    }

    /** Returns the bytes of the content; null if it is null, or a record around it is. */
    byte[] content(Record record) {
        Object value = record;
        try {
            for (MethodHandle each : accessors) {
                value = (Object) each.invokeExact(value);
                if (value instanceof Optional<?> optional) value = optional.orElse(null);
                if (value == null) return null;
            }
        } catch (Throwable e) {
            throw RecordCodec.unchecked(e);
        }
        return form.content(value);
    }
}
