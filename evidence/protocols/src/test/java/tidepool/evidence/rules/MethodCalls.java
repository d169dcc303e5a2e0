package tidepool.evidence.rules;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The calls of one method, each with the number of monitors that the method holds there. */
final class MethodCalls {
    /** A call. {@code method} is the name followed by the descriptor. */
    record Call(String owner, String method, boolean isVirtual, boolean insideMonitor) {}

    private final List<CodeElement> code;
    private final Map<Label, Integer> places = new HashMap<>();
    private final int[] monitors;
    private final Deque<Integer> open = new ArrayDeque<>();
    private final List<Call> calls = new ArrayList<>();

    private MethodCalls(List<CodeElement> code) {
        this.code = code;
        monitors = new int[code.size()];
        java.util.Arrays.fill(monitors, -1);
        for (int i = 0; i < code.size(); i++)
            if (code.get(i) instanceof LabelTarget target) places.put(target.label(), i);
    }

    static List<Call> of(MethodModel method) {
        if (method.code().isEmpty()) return List.of();
        MethodCalls read = new MethodCalls(method.code().get().elementList());
        read.flow(method.flags().has(AccessFlag.SYNCHRONIZED) ? 1 : 0);
        return read.calls;
    }

    /** Follows all ways through the method. Handlers begin with the monitors of the first place that they guard. */
    private void flow(int atTheStart) {
        reach(0, atTheStart);
        while (!open.isEmpty()) step(open.remove());
    }

    private void reach(int place, int held) {
        if (place >= monitors.length || monitors[place] >= 0) return;
        monitors[place] = held;
        open.add(place);
    }

    private void step(int place) {
        int held = monitors[place];
        boolean goesOn = true;
        switch (code.get(place)) {
            case MonitorInstruction monitor -> held += monitor.opcode() == Opcode.MONITORENTER ? 1 : -1;
            case InvokeInstruction call -> add(call, held);
            case InvokeDynamicInstruction call -> addLambda(call, held);
            case BranchInstruction branch -> {
                reach(places.get(branch.target()), held);
                goesOn = branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
            }
            case TableSwitchInstruction choice -> goesOn = reachAll(choice.cases(), choice.defaultTarget(), held);
            case LookupSwitchInstruction choice -> goesOn = reachAll(choice.cases(), choice.defaultTarget(), held);
            case ReturnInstruction _, ThrowInstruction _ -> goesOn = false;
            default -> {}
        }
        if (goesOn) reach(place + 1, held);
        if (open.isEmpty()) reachHandlers();
    }

    private boolean reachAll(List<SwitchCase> cases, Label otherwise, int held) {
        for (SwitchCase one : cases) reach(places.get(one.target()), held);
        reach(places.get(otherwise), held);
        return false;
    }

    private void reachHandlers() {
        for (CodeElement element : code)
            if (element instanceof ExceptionCatch guarded) {
                int held = monitors[places.get(guarded.tryStart())];
                if (held >= 0) reach(places.get(guarded.handler()), held);
            }
    }

    private void add(InvokeInstruction call, int held) {
        calls.add(new Call(
                call.owner().asInternalName(),
                call.name().stringValue() + call.type().stringValue(),
                call.opcode() == Opcode.INVOKEVIRTUAL || call.opcode() == Opcode.INVOKEINTERFACE,
                held > 0));
    }

    /** A lambda or a method reference: its body counts as called here. */
    private void addLambda(InvokeDynamicInstruction call, int held) {
        for (ConstantDesc argument : call.bootstrapArgs())
            if (argument instanceof DirectMethodHandleDesc body) {
                String owner = body.owner().descriptorString();
                calls.add(new Call(
                        owner.substring(1, owner.length() - 1),
                        body.methodName() + body.lookupDescriptor(),
                        !body.methodName().startsWith("lambda$"),
                        held > 0));
            }
    }
}
