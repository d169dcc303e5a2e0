package tidepool.mutants;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.HashSet;
import java.util.Set;

/** Members that class files call, read or name in a string. A call of a method by itself is no use. */
final class MemberUses {
    private final Set<String> members = new HashSet<>();
    private final Set<String> strings = new HashSet<>();

    void add(ClassModel type) {
        for (MethodModel method : type.methods())
            method.code().ifPresent(code -> {
                String self = CompiledModules.name(type) + "."
                        + method.methodName().stringValue()
                        + method.methodType().stringValue();
                for (CodeElement element : code) add(element, self, packageOf(CompiledModules.name(type)));
            });
    }

    private void add(CodeElement element, String self, String home) {
        switch (element) {
            case InvokeInstruction call -> {
                String called = call.owner().asInternalName() + "."
                        + call.name().stringValue()
                        + call.type().stringValue();
                if (!called.equals(self)) members.add(called);
            }
            // A field that is only written is not used.
            case FieldInstruction field -> {
                if (field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.GETSTATIC)
                    members.add(
                            field.owner().asInternalName() + "." + field.name().stringValue());
            }
            case InvokeDynamicInstruction dynamic -> {
                for (ConstantDesc argument : dynamic.bootstrapArgs())
                    if (argument instanceof DirectMethodHandleDesc handle) add(handle);
            }
            case ConstantInstruction constant -> {
                if (constant.constantValue() instanceof String text) strings.add(home + " " + text);
            }
            default -> {}
        }
    }

    private void add(DirectMethodHandleDesc handle) {
        String owner = handle.owner().descriptorString();
        members.add(owner.substring(1, owner.length() - 1) + "." + handle.methodName() + handle.lookupDescriptor());
    }

    /** Returns whether a member of one of the types is used. A method is given with its descriptor. */
    boolean has(Set<String> types, String member) {
        return types.stream().anyMatch(type -> members.contains(type + "." + member));
    }

    /** Returns whether code of the package names the member in a string, as look-ups of method handles do. */
    boolean names(String home, String member) {
        return strings.contains(home + " " + member);
    }

    static String packageOf(String type) {
        return type.substring(0, Math.max(0, type.lastIndexOf('/'))).replace('/', '.');
    }
}
