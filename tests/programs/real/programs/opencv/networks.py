# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of random weights, made here as ONNX, on OpenCV's OpenCL targets in float and half, compared with those on
the host. Prints a line for each: passed, failed or wrong, its name and the largest difference."""
import cv2
import numpy as np
from onnx import TensorProto, helper, numpy_helper, shape_inference

rng = np.random.default_rng(2)


class Network:
    """A chain of nodes from the input to the output."""

    def __init__(self, shape):
        self.shape, self.nodes, self.weights, self.last = shape, [], [], "input"

    def weight(self, *shape, spread=None):
        name = f"w{len(self.weights)}"
        spread = spread or np.sqrt(2 / np.prod(shape[1:]))
        self.weights.append(numpy_helper.from_array(rng.normal(0, spread, shape).astype(np.float32), name))
        return name

    def add(self, kind, *more, inputs=None, **attributes):
        output = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, [*(inputs or [self.last]), *more], [output], **attributes))
        self.last = output
        return self

    def convolution(self, inputs, outputs, size=3, stride=1, group=1):
        padding = [size // 2] * 4
        return self.add("Conv", self.weight(outputs, inputs // group, size, size), self.weight(outputs, spread=0.1),
                        kernel_shape=[size, size], strides=[stride, stride], pads=padding, group=group)

    def bytes(self):
        graph = helper.make_graph(
            self.nodes, "network", [helper.make_tensor_value_info("input", TensorProto.FLOAT, self.shape)],
            [helper.make_tensor_value_info(self.last, TensorProto.FLOAT, None)], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=7)
        return np.frombuffer(shape_inference.infer_shapes(model).SerializeToString(), np.uint8)


def networks():
    image = [1, 8, 37, 41]
    for size, stride, group in ((1, 1, 1), (3, 1, 1), (3, 2, 1), (5, 1, 1), (3, 1, 8), (3, 1, 2), (7, 2, 1)):
        yield f"conv-{size}-stride-{stride}-groups-{group}", Network(image).convolution(8, 16, size, stride, group)
    for activation in ("Relu", "Sigmoid", "Tanh", "Elu", "LeakyRelu", "Softplus"):
        yield f"conv-{activation}", Network(image).convolution(8, 16).add(activation)
    for pool in ("MaxPool", "AveragePool"):
        yield pool, Network(image).add(pool, kernel_shape=[3, 3], strides=[2, 2])
    yield "GlobalAveragePool", Network(image).add("GlobalAveragePool")
    yield "Softmax", Network(image).add("Softmax", axis=1)
    yield "LRN", Network(image).add("LRN", size=5, alpha=0.1, beta=0.75)
    yield "Transpose", Network(image).add("Transpose", perm=[0, 2, 3, 1])
    network = Network([1, 96])
    yield "Gemm", network.add("Gemm", network.weight(50, 96), network.weight(50, spread=0.1), transB=1)
    network = Network(image)
    yield "ConvTranspose", network.add("ConvTranspose", network.weight(8, 4, 4, 4), kernel_shape=[4, 4], strides=[2, 2],
                                       pads=[1, 1, 1, 1])
    network = Network(image).convolution(8, 8)
    network.add("Add", "input")
    yield "residual", network.add("Relu").convolution(8, 4)
    network = Network(image).convolution(8, 8)
    yield "concatenation", network.add("Concat", "input", axis=1).convolution(16, 4, 1)
    network = Network([1, 3, 64, 64]).convolution(3, 16, 3, 2).add("Relu")
    for inputs, outputs in ((16, 32), (32, 64)):
        network.convolution(inputs, inputs, 3, 2, inputs).add("Relu").convolution(inputs, outputs, 1).add("Relu")
    network.add("GlobalAveragePool").add("Flatten", axis=1)
    network.add("Gemm", network.weight(10, 64), network.weight(10, spread=0.1), transB=1)
    yield "separable-classifier", network.add("Softmax", axis=1)


def forward(network, values, target):
    net = cv2.dnn.readNetFromONNX(network)
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    net.setPreferableTarget(target)
    net.setInput(values)
    return net.forward()


cv2.ocl.setUseOpenCL(True)
assert cv2.ocl.useOpenCL(), "OpenCV does not use the device"
# On a CPU, networks leave OpenCL alone.
assert cv2.ocl.Device.getDefault().type() & cv2.ocl.Device_TYPE_GPU, "the device is no GPU"
TARGETS = (("float", cv2.dnn.DNN_TARGET_OPENCL, 1e-4), ("half", cv2.dnn.DNN_TARGET_OPENCL_FP16, 2e-2))
for name, made in networks():
    data, model = rng.uniform(-1, 1, made.shape).astype(np.float32), made.bytes()
    # In half precision OpenCV computes on Intel's GPUs only.
    for label, target, tolerance in TARGETS if cv2.ocl.Device.getDefault().isIntel() else TARGETS[:1]:
        try:
            expected = forward(model, data, cv2.dnn.DNN_TARGET_CPU)
            got = forward(model, data, target)
        except cv2.error as error:
            print("failed", f"{name}-{label}", " ".join(str(error).split())[:200], flush=True)
            continue
        difference = float(np.abs(got - expected).max()) / max(1.0, float(np.abs(expected).max()))
        ok = got.shape == expected.shape and difference <= tolerance and not np.isnan(got).any()
        print("passed" if ok else "wrong", f"{name}-{label}", f"{difference:.1e}", flush=True)
